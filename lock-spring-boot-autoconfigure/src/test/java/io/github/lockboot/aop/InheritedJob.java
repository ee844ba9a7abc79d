package io.github.lockboot.aop;

import io.github.lockboot.annotation.DistributedLock;

/**
 * A job for subclasses in other packages.
 */
public class InheritedJob {

	private int runs;

	/** Run the method that only this package calls. */
	public static int runHidden(InheritedJob job) {
		job.hidden();
		return job.runs();
	}

	@DistributedLock(name = "job")
	void hidden() {
		this.runs++;
	}

	public int runs() {
		return this.runs;
	}

	/** A subclass in the same package. */
	public static class Neighbor extends InheritedJob {

	}

	/** A job whose method each subclass may override. */
	public static class Protected {

		private int runs;

		/** Run the method that no class of another package calls. */
		public static int runProtected(Protected job) {
			job.visible();
			return job.runs();
		}

		@DistributedLock(name = "job")
		protected void visible() {
			this.runs++;
		}

		public int runs() {
			return this.runs;
		}

	}

}
