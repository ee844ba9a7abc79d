package io.github.lockboot.annotation;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import org.jspecify.annotations.Nullable;
import org.springframework.asm.ClassReader;
import org.springframework.asm.ClassVisitor;
import org.springframework.asm.MethodVisitor;
import org.springframework.asm.Opcodes;
import org.springframework.asm.SpringAsmInfo;
import org.springframework.asm.Type;
import org.springframework.util.ClassUtils;

/**
 * Looks into a class file for methods that call a locked method of their own object, past
 * the proxy. Says nothing of a method that has other objects of its class at hand, since
 * it can't tell which one is called.
 */
final class SelfInvocations extends ClassVisitor {

	private final String owner;

	private final Map<String, Method> locked = new TreeMap<>();

	private final List<SelfInvocation> found = new ArrayList<>();

	private SelfInvocations(Class<?> type, List<Method> locked) {
		super(SpringAsmInfo.ASM_VERSION);
		this.owner = Type.getInternalName(type);
		locked.forEach((method) -> this.locked.put(method.getName() + Type.getMethodDescriptor(method), method));
	}

	/**
	 * Look into one class.
	 * @param type the class
	 * @param locked its locked methods
	 * @return the calls; none if there is no class file to look into
	 */
	static List<SelfInvocation> find(Class<?> type, List<Method> locked) {
		SelfInvocations invocations = new SelfInvocations(type, locked);
		try (InputStream file = type.getResourceAsStream(ClassUtils.getClassFileName(type))) {
			if (file != null) {
				new ClassReader(file).accept(invocations, ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
			}
		}
		catch (IOException | IllegalArgumentException ex) {
			return List.of(); // a class file newer than the reader
		}
		return invocations.found;
	}

	@Override
	public @Nullable MethodVisitor visitMethod(int access, String name, String descriptor, @Nullable String signature,
			String @Nullable [] exceptions) {
		boolean ours = (access & (Opcodes.ACC_BRIDGE | Opcodes.ACC_STATIC)) == 0 && !mentionsOwner(descriptor);
		return ours ? new Body(name + descriptor) : null;
	}

	private boolean mentionsOwner(String descriptor) {
		return descriptor.contains("L" + this.owner + ";");
	}

	/**
	 * A call of a locked method.
	 *
	 * @param caller name and descriptor of the method that calls
	 * @param locked the method that is called
	 */
	record SelfInvocation(String caller, Method locked) {

		/** The method in whose source the call stands, also from within a lambda. */
		String callerName() {
			String name = this.caller.substring(0, this.caller.indexOf('('));
			return name.startsWith("lambda$") ? name.substring(7, name.lastIndexOf('$')) : name;
		}

	}

	/**
	 * One method of the class.
	 */
	private final class Body extends MethodVisitor {

		private final String caller;

		private final List<SelfInvocation> calls = new ArrayList<>();

		private boolean sure = true;

		Body(String caller) {
			super(SpringAsmInfo.ASM_VERSION);
			this.caller = caller;
		}

		@Override
		public void visitFieldInsn(int opcode, String owner, String name, String descriptor) {
			this.sure &= !mentionsOwner(descriptor);
		}

		@Override
		public void visitTypeInsn(int opcode, String type) {
			this.sure &= !type.equals(SelfInvocations.this.owner);
		}

		@Override
		public void visitMethodInsn(int opcode, String owner, String name, String descriptor, boolean isInterface) {
			this.sure &= !mentionsOwner(descriptor.substring(descriptor.indexOf(')')));
			Method called = SelfInvocations.this.locked.get(name + descriptor);
			if (called != null && opcode == Opcodes.INVOKEVIRTUAL && owner.equals(SelfInvocations.this.owner)) {
				this.calls.add(new SelfInvocation(this.caller, called));
			}
		}

		@Override
		public void visitEnd() {
			if (this.sure) {
				SelfInvocations.this.found.addAll(this.calls);
			}
		}

	}

}
