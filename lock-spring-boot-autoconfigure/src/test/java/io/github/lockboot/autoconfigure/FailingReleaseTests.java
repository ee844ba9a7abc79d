package io.github.lockboot.autoconfigure;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import io.github.lockboot.annotation.DistributedLock;
import io.github.lockboot.fixture.RedisFixture;
import io.github.lockboot.fixture.RedisServer;
import io.github.lockboot.fixture.RedisTest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Redis dies while a locked method runs, so that its lock can't be released.
 */
@RedisTest
class FailingReleaseTests {

	private final RedisServer redis = RedisFixture.newServer();

	private final ApplicationContextRunner runner = LockRunners.redis(this.redis)
		.withBean(Service.class, () -> new Service(this.redis));

	@AfterEach
	void close() {
		this.redis.close();
	}

	@Test
	void resultIsStillReturned() {
		this.runner.run((context) -> assertThat(context.getBean(Service.class).succeed()).isEqualTo("done"));
	}

	@Test
	void exceptionIsStillThrown() {
		this.runner
			.run((context) -> assertThatIllegalStateException().isThrownBy(() -> context.getBean(Service.class).fail())
				.withMessage("sold out"));
	}

	static class Service {

		private final RedisServer redis;

		Service(RedisServer redis) {
			this.redis = redis;
		}

		@DistributedLock(name = "failing-release")
		public String succeed() {
			this.redis.kill();
			return "done";
		}

		@DistributedLock(name = "failing-release")
		public void fail() {
			this.redis.kill();
			throw new IllegalStateException("sold out");
		}

	}

}
