package io.github.lockboot.aop;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

import org.jspecify.annotations.Nullable;
import org.springframework.asm.ClassReader;
import org.springframework.asm.ClassVisitor;
import org.springframework.asm.Handle;
import org.springframework.asm.MethodVisitor;
import org.springframework.asm.Opcodes;
import org.springframework.asm.SpringAsmInfo;
import org.springframework.asm.Type;
import org.springframework.util.ClassUtils;

import io.github.lockboot.Internal;

/**
 * Finds methods in a class file that call an annotated method of their own object, which
 * bypasses the proxy. A method that uses other objects of its class is skipped, since the
 * class file does not show which object the method calls.
 */
@Internal
public final class SelfInvocations extends ClassVisitor {

	private final Class<?> type;

	private final Map<String, String> annotated;

	private final String effect;

	private final Set<String> found = new TreeSet<>();

	private SelfInvocations(Class<?> type, Map<String, String> annotated, String effect) {
		super(SpringAsmInfo.ASM_VERSION);
		this.type = type;
		this.annotated = annotated;
		this.effect = effect;
	}

	/**
	 * Return one sentence for each such call in a class, or none if the class file cannot
	 * be read. A caller that holds a lock of the same name is valid.
	 * @param annotated names of the locks of annotated methods, by name and descriptor
	 * @param effect what such a call means, such as "without its lock"
	 */
	public static Set<String> find(Class<?> type, Map<String, String> annotated, String effect) {
		SelfInvocations invocations = new SelfInvocations(type, annotated, effect);
		try (InputStream file = type.getResourceAsStream(ClassUtils.getClassFileName(type))) {
			if (file != null) {
				new ClassReader(file).accept(invocations, ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
			}
		}
		catch (IOException | IllegalArgumentException ex) {
			return Set.of(); // a class file newer than the reader
		}
		return invocations.found;
	}

	@Override
	public @Nullable MethodVisitor visitMethod(int access, String name, String descriptor, @Nullable String signature,
			String @Nullable [] exceptions) {
		boolean relevant = (access & (Opcodes.ACC_BRIDGE | Opcodes.ACC_STATIC)) == 0 && !mentionsType(descriptor);
		return relevant ? new Body(name, this.annotated.get(name + descriptor)) : null;
	}

	private boolean mentionsType(String descriptor) {
		return descriptor.contains(Type.getDescriptor(this.type));
	}

	/**
	 * One method of the class.
	 */
	private final class Body extends MethodVisitor {

		private final String caller;

		private final @Nullable String lock;

		private final List<String> calls = new ArrayList<>();

		private boolean sure = true;

		Body(String caller, @Nullable String lock) {
			super(SpringAsmInfo.ASM_VERSION);
			// in the source, a call in a lambda is in the enclosing method
			this.caller = caller.startsWith("lambda$") ? caller.substring(7, caller.lastIndexOf('$')) : caller;
			this.lock = lock;
		}

		@Override
		public void visitFieldInsn(int opcode, String owner, String name, String descriptor) {
			this.sure &= !mentionsType(descriptor);
		}

		@Override
		public void visitTypeInsn(int opcode, String type) {
			this.sure &= !type.equals(Type.getInternalName(SelfInvocations.this.type));
		}

		@Override
		public void visitMethodInsn(int opcode, String owner, String name, String descriptor, boolean isInterface) {
			this.sure &= !mentionsType(descriptor.substring(descriptor.indexOf(')')));
			String called = SelfInvocations.this.annotated.get(name + descriptor);
			if (called != null && !called.equals(this.lock) && opcode == Opcodes.INVOKEVIRTUAL
					&& owner.equals(Type.getInternalName(SelfInvocations.this.type))) {
				this.calls.add(SelfInvocations.this.type.getName() + "." + this.caller + " calls " + name
						+ "() on its own object, where the called method runs " + SelfInvocations.this.effect
						+ ": call the method from another bean");
			}
		}

		/** Visit a bound method reference such as {@code this::method}. */
		@Override
		public void visitInvokeDynamicInsn(String name, String descriptor, Handle factory, Object... arguments) {
			for (Object argument : arguments) {
				if (argument instanceof Handle reference && mentionsType(descriptor)) {
					visitMethodInsn(Opcodes.INVOKEVIRTUAL, reference.getOwner(), reference.getName(),
							reference.getDesc(), false);
				}
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
