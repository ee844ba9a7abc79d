package io.github.lockboot.redis.connection;

import java.util.concurrent.CompletionException;

import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class NotMasterTests {

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
			true  | READONLY You can't write against a read only replica.
			true  | ERR Error running script (call to f_1): @user_script:11: -READONLY You can't write
			true  | MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'.
			true  | NOREPLICAS Not enough good replicas to write.
			false | OOM command not allowed when used memory > 'maxmemory'.
			false | NOPERM this user has no
			""")
	void errorsOfAServerThatIsNotTheMasterAreRecognized(boolean recognized, String answer) {
		assertThat(Refusals.isNotMaster(new RedisCommandExecutionException(answer))).isEqualTo(recognized);
	}

	@Test
	void aWrappedErrorIsRecognized() {
		RedisException answer = new RedisCommandExecutionException("READONLY You can't write");
		assertThat(Refusals.isNotMaster(new CompletionException(new RedisException("wrapped", answer)))).isTrue();
	}

	@Test
	void aBrokenConnectionIsNot() {
		assertThat(Refusals.isNotMaster(new RedisException("READONLY is not an answer here"))).isFalse();
	}

}
