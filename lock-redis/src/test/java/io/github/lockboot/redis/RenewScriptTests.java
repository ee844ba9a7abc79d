package io.github.lockboot.redis;

import java.util.List;

import org.junit.jupiter.api.Test;

import io.github.lockboot.fixture.RedisServer;

import static io.github.lockboot.redis.ScriptClient.number;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

class RenewScriptTests extends LockScriptTests {

	RenewScriptTests(RedisServer redis) {
		super(redis);
	}

	@Test
	void theOwnerRenewsItsLease() {
		this.client.take("a", 5_000);
		assertThat(this.client.renew("a", LEASE)).first().isEqualTo(1L);
		assertThat(this.client.owner()).isEqualTo("a");
		assertThat(this.client.remainingMillis(this.client.lock)).isBetween(LEASE - 5_000, LEASE);
		long whole = LEASE + ScriptClient.MEMORY_MILLIS;
		assertThat(this.client.remainingMillis(this.client.fence)).isBetween(whole - 5_000, whole);
	}

	@Test
	void reservesTokensASecondAheadOfTheTime() {
		this.client.take("a", 5_000);
		long before = this.client.timeMicros() + ScriptClient.AHEAD_MILLIS * 1000;
		List<Object> reply = this.client.renew("a", LEASE);
		assertThat(number(reply, 1)).isBetween(before, this.client.timeMicros() + ScriptClient.AHEAD_MILLIS * 1000);
		assertThat(this.client.lastToken()).isEqualTo("" + number(reply, 1));
	}

	@Test
	void anExpiredTokenIsReplacedByTheTimeOfRedis() {
		long token = this.client.take("a", LEASE);
		this.redis.command("DEL", this.client.fence);
		assertThat(number(this.client.renew("a", LEASE), 1)).isGreaterThan(ScriptClient.reserved(token, LEASE));
	}

	@Test
	void theFirstWaiterOfEachJvmLearnsThatTheOwnerReleasesSooner() {
		String first = "bbbbbbbbbbbbbbbb:1";
		String second = "cccccccccccccccc:2";
		this.client.take("a", LEASE);
		this.client.queue(first, LEASE);
		this.client.queue("bbbbbbbbbbbbbbbb:2", LEASE);
		this.client.queue("cccccccccccccccc:1", LEASE);
		this.client.queue(second, LEASE);
		this.client.release("cccccccccccccccc:1", LEASE, 0);
		ListeningJvm<String> one = this.client.listen(first);
		ListeningJvm<String> other = this.client.listen(second);
		this.client.renew("a", LEASE);
		this.client.releaseLater("a", 100, 0);
		assertThat(one.messages(1)).containsExactly("sooner " + first + " " + this.client.lock);
		assertThat(other.messages(1)).containsExactly("sooner " + second + " " + this.client.lock);
	}

	@Test
	void anExtensionThatComesLateDoesNotShortenALease() {
		this.client.take("a", 5_000);
		assertThat(this.client.extend("a", LEASE)).isEmpty();
		assertThat(this.client.extend("a", 5_000)).isEmpty();
		assertThat(this.client.remainingMillis(this.client.lock)).isBetween(LEASE - 5_000, LEASE);
	}

	@Test
	void anExtensionThatComesLateDoesNotMatchAMinimumHoldTime() {
		this.client.take("a", LEASE);
		this.client.releaseLater("a", 1_000, 0);
		assertThat(this.client.extend("a", LEASE)).containsExactly(1L, -1L);
		assertThat(this.client.renew("a", LEASE)).containsExactly(0L);
		assertThat(this.client.remainingMillis(this.client.lock)).isLessThanOrEqualTo(1_000);
		assertThat(this.client.inspect()).first().isEqualTo("a");
	}

	@Test
	void theReleaseForAMinimumHoldTimeIsRepeatedWithoutBeginningAgain() {
		this.client.take("a", LEASE);
		this.client.releaseLater("a", 1_000, 0);
		assertThat(this.client.releaseLater("a", LEASE, 0)).first().isEqualTo(1L);
		assertThat(this.client.remainingMillis(this.client.lock)).isLessThanOrEqualTo(1_000);
		assertThat(this.client.releaseLater("a", 1, 0)).first().isEqualTo(1L);
		assertThat(this.client.remainingMillis(this.client.lock)).isLessThanOrEqualTo(1);
	}

	@Test
	void anExtensionTellsThatOthersWaitOrThatTheLockIsLostOrShared() {
		this.client.take("a", 5_000);
		assertThat(this.client.extend("b", LEASE)).containsExactly(1L, -1L);
		this.client.queue("bbbbbbbbbbbbbbbb:1", LEASE);
		assertThat(this.client.extend("a", LEASE)).containsExactly(1L, 1L);
		this.redis.command("SET", this.client.lock, "shared a");
		assertThat(this.client.extend("a", LEASE)).containsExactly(1L, -2L);
		this.redis.command("DEL", this.client.lock);
		assertThat(this.client.extend("a", LEASE)).containsExactly(1L, -1L);
	}

	@Test
	void aTokenKeyOfAnotherTypeIsAnErrorAndTheLeaseStaysAsItWas() {
		this.client.take("a", 5_000);
		this.redis.command("DEL", this.client.fence);
		this.redis.command("RPUSH", this.client.fence, "x");
		assertThatException().isThrownBy(() -> this.client.renew("a", LEASE)).withMessageContaining("WRONGTYPE");
		assertThat(this.client.remainingMillis(this.client.lock)).isLessThanOrEqualTo(5_000);
	}

}
