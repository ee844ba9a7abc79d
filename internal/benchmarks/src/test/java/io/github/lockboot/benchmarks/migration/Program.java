package io.github.lockboot.benchmarks.migration;

import java.util.function.BiConsumer;

/**
 * A section of a program in the three versions of a rolling deployment in two steps. A
 * version whose lock is busy does not run the section; it may throw.
 */
interface Program {

	/** With the lock of the other library. */
	void before(Runnable section);

	/** With both locks, that of the other library first. */
	void between(Runnable section);

	/** With the lock of this library. */
	void after(Runnable section);

	/**
	 * The versions.
	 */
	enum Version {

		BEFORE(Program::before), BETWEEN(Program::between), AFTER(Program::after);

		private final BiConsumer<Program, Runnable> method;

		Version(BiConsumer<Program, Runnable> method) {
			this.method = method;
		}

		void run(Program program, Runnable section) {
			this.method.accept(program, section);
		}

	}

}
