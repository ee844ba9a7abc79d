package io.github.lockboot;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.asm.ClassReader;
import org.springframework.asm.ClassVisitor;
import org.springframework.asm.MethodVisitor;
import org.springframework.asm.Opcodes;
import org.springframework.asm.SpringAsmInfo;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Before JDK 24 a virtual thread that waits within {@code synchronized} keeps its carrier
 * thread waiting too.
 */
class MonitorsTests {

	/** Class and method of allowed monitors, which never wait; there are none so far. */
	private static final List<String> ALLOWED = List.of();

	@Test
	void noMethodOfTheLibraryUsesAMonitor() throws Exception {
		Path classes = Path.of(LockOperations.class.getProtectionDomain().getCodeSource().getLocation().toURI());
		assertThat(monitorsIn(classes)).containsExactlyInAnyOrderElementsOf(ALLOWED);
	}

	@Test
	void synchronizedMethodsAndBlocksAreDetected() throws Exception {
		Path classes = Path.of(MonitorsTests.class.getProtectionDomain().getCodeSource().getLocation().toURI());
		assertThat(monitorsIn(classes)).contains(Synchronized.class.getName().replace('.', '/') + ".method",
				Synchronized.class.getName().replace('.', '/') + ".block");
	}

	private static List<String> monitorsIn(Path folder) throws IOException {
		List<String> found = new ArrayList<>();
		try (Stream<Path> files = Files.walk(folder)) {
			for (Path file : files.filter((each) -> each.toString().endsWith(".class")).toList()) {
				try (InputStream in = Files.newInputStream(file)) {
					new ClassReader(in).accept(new Monitors(found), ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
				}
			}
		}
		return found;
	}

	private static final class Monitors extends ClassVisitor {

		private final List<String> found;

		private String type = "";

		Monitors(List<String> found) {
			super(SpringAsmInfo.ASM_VERSION);
			this.found = found;
		}

		@Override
		public void visit(int version, int access, String name, @Nullable String signature, @Nullable String superName,
				String @Nullable [] interfaces) {
			this.type = name;
		}

		@Override
		public MethodVisitor visitMethod(int access, String name, String descriptor, @Nullable String signature,
				String @Nullable [] exceptions) {
			String method = this.type + "." + name;
			if ((access & Opcodes.ACC_SYNCHRONIZED) != 0) {
				this.found.add(method);
			}
			return new MethodVisitor(SpringAsmInfo.ASM_VERSION) {
				@Override
				public void visitInsn(int opcode) {
					if (opcode == Opcodes.MONITORENTER) {
						Monitors.this.found.add(method);
					}
				}
			};
		}

	}

	static final class Synchronized {

		private int count;

		synchronized int method() {
			return this.count++;
		}

		int block() {
			synchronized (this) {
				return this.count++;
			}
		}

	}

}
