package io.github.lockboot.autoconfigure;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;

import io.github.lockboot.annotation.LockAnnotations;

/**
 * Says once that annotated methods run without a lock because somebody wants it so.
 */
final class UnlockedMethodsWarning implements SmartInitializingSingleton {

	private static final Log logger = LogFactory.getLog(UnlockedMethodsWarning.class);

	private final LockAnnotations annotations;

	private final String property;

	UnlockedMethodsWarning(LockAnnotations annotations, String property) {
		this.annotations = annotations;
		this.property = property;
	}

	@Override
	public void afterSingletonsInstantiated() {
		int count = this.annotations.report().methods().size();
		if (count > 0) {
			logger.warn(this.property + "=false: @DistributedLock is ignored and methods run unlocked: " + count);
		}
	}

}
