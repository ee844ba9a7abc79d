package io.github.lockboot.test;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;

import io.github.lockboot.LockOperations;

/**
 * {@link EnableAutoConfiguration Auto-configuration} for tests of locks.
 */
@AutoConfiguration(afterName = { "io.github.lockboot.autoconfigure.LocalLockAutoConfiguration",
		"io.github.lockboot.autoconfigure.RedisLockAutoConfiguration" })
final class LockTestAutoConfiguration {

	/** A property that Spring Boot sets in the contexts of its tests. */
	private static final String BOOT_TEST = "org.springframework.boot.test.context.SpringBootTestContextBootstrapper";

	@Bean
	@ConditionalOnMissingBean
	LockJournal lockJournal(Environment environment) {
		return new LockJournal(environment.containsProperty(BOOT_TEST));
	}

	@Bean
	@ConditionalOnMissingBean
	@ConditionalOnSingleCandidate(LockOperations.class)
	OtherNode otherNode(LockOperations locks, LockJournal journal) {
		return new OtherNode(locks, journal);
	}

}
