package io.github.lockboot.lines;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

import org.jspecify.annotations.Nullable;
import org.springframework.asm.ClassReader;
import org.springframework.asm.ClassVisitor;
import org.springframework.asm.FieldVisitor;
import org.springframework.asm.Handle;
import org.springframework.asm.Label;
import org.springframework.asm.MethodVisitor;
import org.springframework.asm.SpringAsmInfo;
import org.springframework.asm.Type;

/**
 * Reads class files, and finds the classes, methods and fields to which they refer and
 * that are not on the class path. Annotations do not count, since the JVM ignores those
 * that are absent.
 */
final class ClassFiles {

	private final ClassLoader classPath;

	private final Map<String, Declared> declared = new HashMap<>();

	ClassFiles(ClassLoader classPath) {
		this.classPath = classPath;
	}

	/** Return what a class refers to in vain. */
	Set<String> missing(byte[] classFile) {
		References references = new References();
		new ClassReader(classFile).accept(references, ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
		return references.missing;
	}

	private boolean exists(String type) {
		return !declared(type).equals(Declared.NOTHING);
	}

	private Declared declared(String type) {
		Declared known = this.declared.get(type);
		if (known == null) {
			known = read(type);
			this.declared.put(type, known);
		}
		return known;
	}

	private Declared read(String type) {
		try (InputStream file = this.classPath.getResourceAsStream(type + ".class")) {
			if (file == null) {
				return Declared.NOTHING;
			}
			Members members = new Members();
			ClassReader reader = new ClassReader(file);
			reader.accept(members, ClassReader.SKIP_CODE);
			Set<String> supertypes = new HashSet<>(Arrays.asList(reader.getInterfaces()));
			if (reader.getSuperName() != null) {
				supertypes.add(reader.getSuperName());
			}
			return new Declared(supertypes, members.signatures);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private boolean declares(String type, String signature) {
		Declared here = declared(type);
		return here.signatures.contains(signature)
				|| here.supertypes.stream().anyMatch((supertype) -> declares(supertype, signature));
	}

	private record Declared(Set<String> supertypes, Set<String> signatures) {

		static final Declared NOTHING = new Declared(Set.of(), Set.of());

	}

	private static final class Members extends ClassVisitor {

		final Set<String> signatures = new HashSet<>(List.of(""));

		Members() {
			super(SpringAsmInfo.ASM_VERSION);
		}

		@Override
		public @Nullable FieldVisitor visitField(int access, String name, String descriptor, @Nullable String signature,
				@Nullable Object value) {
			this.signatures.add(name + descriptor);
			return null;
		}

		@Override
		public @Nullable MethodVisitor visitMethod(int access, String name, String descriptor,
				@Nullable String signature, String @Nullable [] exceptions) {
			this.signatures.add(name + descriptor);
			return null;
		}

	}

	private final class References extends ClassVisitor {

		final Set<String> missing = new TreeSet<>();

		References() {
			super(SpringAsmInfo.ASM_VERSION);
		}

		private void type(Type type) {
			if (type.getSort() == Type.METHOD) {
				type(type.getReturnType());
				Arrays.stream(type.getArgumentTypes()).forEach(this::type);
			}
			else if (type.getSort() == Type.ARRAY) {
				type(type.getElementType());
			}
			else if (type.getSort() == Type.OBJECT && !exists(type.getInternalName())) {
				this.missing.add(type.getClassName());
			}
		}

		private void member(String owner, String name, String descriptor) {
			type(Type.getObjectType(owner));
			if (!owner.startsWith("[") && !owner.startsWith("java/") && exists(owner)
					&& !declares(owner, name + descriptor)) {
				this.missing.add(Type.getObjectType(owner).getClassName() + "." + name + descriptor);
			}
		}

		@Override
		public void visit(int version, int access, String name, @Nullable String signature, @Nullable String superName,
				String @Nullable [] interfaces) {
			if (superName != null) {
				type(Type.getObjectType(superName));
			}
			if (interfaces != null) {
				Arrays.stream(interfaces).map(Type::getObjectType).forEach(this::type);
			}
		}

		@Override
		public @Nullable FieldVisitor visitField(int access, String name, String descriptor, @Nullable String signature,
				@Nullable Object value) {
			type(Type.getType(descriptor));
			return null;
		}

		@Override
		public MethodVisitor visitMethod(int access, String name, String descriptor, @Nullable String signature,
				String @Nullable [] exceptions) {
			type(Type.getMethodType(descriptor));
			return new Code(this);
		}

	}

	private static final class Code extends MethodVisitor {

		private final References references;

		Code(References references) {
			super(SpringAsmInfo.ASM_VERSION);
			this.references = references;
		}

		@Override
		public void visitTypeInsn(int opcode, String type) {
			this.references.type(Type.getObjectType(type));
		}

		@Override
		public void visitFieldInsn(int opcode, String owner, String name, String descriptor) {
			this.references.member(owner, name, descriptor);
		}

		@Override
		public void visitMethodInsn(int opcode, String owner, String name, String descriptor, boolean isInterface) {
			this.references.member(owner, name, descriptor);
		}

		@Override
		public void visitInvokeDynamicInsn(String name, String descriptor, Handle bootstrap, Object... arguments) {
			for (Object argument : arguments) {
				constant(argument);
			}
		}

		@Override
		public void visitLdcInsn(Object value) {
			constant(value);
		}

		@Override
		public void visitTryCatchBlock(Label start, Label end, Label handler, @Nullable String type) {
			if (type != null) {
				this.references.type(Type.getObjectType(type));
			}
		}

		private void constant(Object value) {
			if (value instanceof Handle handle) {
				this.references.member(handle.getOwner(), handle.getName(), handle.getDesc());
			}
			else if (value instanceof Type type) {
				this.references.type(type);
			}
		}

	}

}
