package io.github.lockboot.redis.connection;

import java.util.concurrent.CompletionException;

import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class NotMasterTests {

	@ParameterizedTest
	@ValueSource(strings = { "READONLY You can't write against a read only replica.",
			"ERR Error running script (call to f_1): @user_script:11: @user_script: 11: -READONLY You can't write",
			"MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'.",
			"NOREPLICAS Not enough good replicas to write." })
	void errorsOfAServerThatIsNotTheMasterAreRecognized(String answer) {
		assertThat(Refusals.isNotMaster(new RedisCommandExecutionException(answer))).isTrue();
	}

	@Test
	void aWrappedErrorIsRecognized() {
		RedisException answer = new RedisCommandExecutionException("READONLY You can't write");
		assertThat(Refusals.isNotMaster(new CompletionException(new RedisException("wrapped", answer)))).isTrue();
	}

	@ParameterizedTest
	@ValueSource(strings = { "OOM command not allowed when used memory > 'maxmemory'.", "NOPERM this user has no" })
	void otherErrorsAreNot(String answer) {
		assertThat(Refusals.isNotMaster(new RedisCommandExecutionException(answer))).isFalse();
	}

	@Test
	void aBrokenConnectionIsNot() {
		assertThat(Refusals.isNotMaster(new RedisException("READONLY is not an answer here"))).isFalse();
	}

}
