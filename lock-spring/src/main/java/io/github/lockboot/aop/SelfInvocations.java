package io.github.lockboot.aop;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.asm.ClassReader;
import org.springframework.asm.ClassVisitor;
import org.springframework.asm.Handle;
import org.springframework.asm.Label;
import org.springframework.asm.MethodVisitor;
import org.springframework.asm.Opcodes;
import org.springframework.asm.SpringAsmInfo;
import org.springframework.asm.Type;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

import io.github.lockboot.Internal;

/**
 * Finds calls of annotated methods that bypass the proxy of their bean: a method of the
 * bean's class, of one of its supertypes or of one of their inner classes calls the
 * method of its own object. A method that uses other objects of these types is skipped,
 * since the class file does not show which object the method calls.
 */
@Internal
public final class SelfInvocations {

	private static final String DEFAULTS = "$default";

	private final Class<?> type;

	/** Names of the locks of annotated methods, by name and descriptor. */
	private final Map<String, String> annotated = new HashMap<>();

	private final Set<String> hierarchy;

	private final String effect;

	private final Set<String> read = new HashSet<>();

	private final Set<String> found = new TreeSet<>();

	private SelfInvocations(Class<?> type, Map<Method, String> methods, String effect) {
		Set<Class<?>> types = hierarchy(type);
		this.type = type;
		this.hierarchy = types.stream().map(Type::getInternalName).collect(Collectors.toSet());
		this.effect = effect;
		types.stream().flatMap((each) -> Stream.of(ReflectionUtils.getDeclaredMethods(each))).forEach((method) -> {
			// the function of Kotlin that sets the default values of parameters
			String called = method.getName().replace(DEFAULTS, "");
			methods.forEach((annotated, lock) -> {
				// a bridge makes the method of a class that is not public accessible
				if (called.equals(annotated.getName()) && (method.getName().endsWith(DEFAULTS)
						|| Arrays.equals(method.getParameterTypes(), annotated.getParameterTypes())
						|| AopUtils.getMostSpecificMethod(method, type).equals(annotated))) {
					this.annotated.put(method.getName() + Type.getMethodDescriptor(method), lock);
				}
			});
		});
	}

	private static Set<Class<?>> hierarchy(Class<?> type) {
		Set<Class<?>> types = new HashSet<>(ClassUtils.getAllInterfacesForClassAsSet(type));
		for (Class<?> each = type; each != null; each = each.getSuperclass()) {
			types.add(each);
		}
		types.removeIf((each) -> each.getName().startsWith("java."));
		return types;
	}

	/**
	 * Return one sentence for each such call, or none if the class files cannot be read.
	 * A caller that holds a lock of the same name is valid.
	 * @param lock returns the name of a method's lock
	 * @param effect what such a call means, such as "without its lock"
	 */
	public static <D> Set<String> find(Collection<AnnotatedMethod<D>> methods,
			Function<AnnotatedMethod<D>, String> lock, String effect) {
		Map<Class<?>, Map<Method, String>> types = new LinkedHashMap<>();
		methods.forEach((method) -> types.computeIfAbsent(method.beanType(), (type) -> new LinkedHashMap<>())
			.put(method.method(), lock.apply(method)));
		Set<String> found = new TreeSet<>();
		types.forEach((type, ofType) -> {
			SelfInvocations calls = new SelfInvocations(type, ofType, effect);
			calls.hierarchy.forEach((name) -> calls.read(name, false));
			found.addAll(calls.found);
		});
		return found;
	}

	private void read(String name, boolean inner) {
		if (!this.read.add(name)) {
			return;
		}
		try (InputStream file = this.type.getResourceAsStream("/" + name + ClassUtils.CLASS_FILE_SUFFIX)) {
			if (file != null) {
				new ClassReader(file).accept(new Reader(name, inner), ClassReader.SKIP_FRAMES);
			}
		}
		catch (IOException | IllegalArgumentException ex) {
			// a class file newer than the reader
		}
	}

	private boolean mentionsType(String descriptor) {
		return this.hierarchy.stream().anyMatch((name) -> descriptor.contains("L" + name + ";"));
	}

	/**
	 * One class.
	 */
	private final class Reader extends ClassVisitor {

		private final String name;

		private final boolean inner;

		Reader(String name, boolean inner) {
			super(SpringAsmInfo.ASM_VERSION);
			this.name = name;
			this.inner = inner;
		}

		@Override
		public void visitInnerClass(String name, @Nullable String outerName, @Nullable String innerName, int access) {
			if (name.startsWith(this.name + "$")) {
				read(name, true);
			}
		}

		@Override
		public @Nullable MethodVisitor visitMethod(int access, String name, String descriptor,
				@Nullable String signature, String @Nullable [] exceptions) {
			// the object of a lambda of Kotlin is the first parameter
			boolean lambda = (access & Opcodes.ACC_STATIC) != 0 && name.contains("$lambda$");
			String others = lambda ? descriptor.substring(descriptor.indexOf(';') + 1) : descriptor;
			boolean relevant = (access & (Opcodes.ACC_BRIDGE | Opcodes.ACC_STATIC)) == 0 || lambda;
			// @JvmOverloads: it is final, so that it runs on the proxy itself
			boolean overload = (access & Opcodes.ACC_FINAL) != 0 && SelfInvocations.this.annotated.keySet()
				.stream()
				.anyMatch((called) -> called.startsWith(name + DEFAULTS));
			return (relevant && !overload && !mentionsType(others)) ? new Body(this.name, this.inner, name, lambda,
					SelfInvocations.this.annotated.get(name + descriptor)) : null;
		}

	}

	/**
	 * One method of a class.
	 */
	private final class Body extends MethodVisitor {

		private final String owner;

		private final boolean inner;

		private final String caller;

		private final @Nullable String lock;

		private final List<String> calls = new ArrayList<>();

		private boolean hasObject;

		private boolean hasOthers;

		Body(String owner, boolean inner, String caller, boolean lambda, @Nullable String lock) {
			super(SpringAsmInfo.ASM_VERSION);
			this.owner = owner;
			this.inner = inner;
			// in the source, a call in a lambda is in the enclosing method
			this.caller = caller.startsWith("lambda$") ? caller.substring(7, caller.lastIndexOf('$'))
					: caller.replaceFirst("\\$lambda\\$.*", "");
			this.lock = lock;
			this.hasObject = !lambda;
		}

		@Override
		public void visitFieldInsn(int opcode, String owner, String name, String descriptor) {
			this.hasOthers |= mentionsType(descriptor) && !(this.inner && name.startsWith("this$"));
		}

		@Override
		public void visitTypeInsn(int opcode, String type) {
			this.hasOthers |= SelfInvocations.this.hierarchy.contains(type);
		}

		@Override
		public void visitMethodInsn(int opcode, String owner, String name, String descriptor, boolean isInterface) {
			this.hasOthers |= mentionsType(descriptor.substring(descriptor.indexOf(')')));
			String called = SelfInvocations.this.annotated.get(name + descriptor);
			if (called != null && !called.equals(this.lock) && SelfInvocations.this.hierarchy.contains(owner)
					&& !(this.inner && opcode == Opcodes.INVOKESPECIAL)) {
				this.calls.add(ClassUtils.convertResourcePathToClassName(this.owner) + "." + this.caller + " calls "
						+ name.replace(DEFAULTS, "") + "() on its " + (this.inner ? "outer" : "own")
						+ " object, where the called method runs " + SelfInvocations.this.effect
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
		public void visitLocalVariable(String name, String descriptor, @Nullable String signature, Label start,
				Label end, int index) {
			this.hasObject |= index == 0 && name.equals("this$0");
		}

		@Override
		public void visitEnd() {
			if (this.hasObject && !this.hasOthers) {
				SelfInvocations.this.found.addAll(this.calls);
			}
		}

	}

}
