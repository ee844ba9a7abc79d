package io.github.lockboot.test;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;

import io.github.lockboot.LockOperations;

/**
 * {@link EnableAutoConfiguration Auto-configuration} for tests of locks.
 */
@AutoConfiguration(afterName = { "io.github.lockboot.autoconfigure.LocalLockAutoConfiguration",
		"io.github.lockboot.autoconfigure.RedisLockAutoConfiguration" })
final class LockTestAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	LockJournal lockJournal() {
		return new LockJournal();
	}

	@Bean
	@ConditionalOnMissingBean
	@ConditionalOnSingleCandidate(LockOperations.class)
	OtherNode otherNode(LockOperations locks, LockJournal journal) {
		return new OtherNode(locks, journal);
	}

}
