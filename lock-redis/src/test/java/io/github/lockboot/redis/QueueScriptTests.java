package io.github.lockboot.redis;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import io.github.lockboot.fixture.RedisServer;

import static io.github.lockboot.redis.ScriptClient.number;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * How acquire.lua and release.lua add waiters to the queue and remove them.
 */
class QueueScriptTests extends LockScriptTests {

	private static final String OWNER = "aaaaaaaaaaaaaaaa:1";

	private static final String FIRST = "bbbbbbbbbbbbbbbb:1";

	private static final String SECOND = "cccccccccccccccc:1";

	QueueScriptTests(RedisServer redis) {
		super(redis);
	}

	@Test
	void keptWaitersStayInTheirPositions() {
		this.client.take(OWNER, LEASE);
		long since = number(this.client.queue(FIRST, LEASE), 2);
		long sharesSince = number(this.client.queueToShare(SECOND, LEASE, 3), 2);
		this.client.live(FIRST, 1_000);
		long before = this.client.timeMicros();
		List<Object> reply = this.client.keepQueued(FIRST, since, SECOND, 3, sharesSince);
		assertThat(number(reply, 0)).isBetween(LEASE - 5_000, LEASE);
		assertThat(number(reply, 1)).isBetween(before, this.client.timeMicros());
		assertThat(reply).hasSize(3).endsWith(0L);
		assertThat(this.client.waiting()).containsExactly(FIRST, SECOND);
		assertThat(deadline(FIRST)).isGreaterThanOrEqualTo(before + ScriptClient.LIFE_MILLIS * 1000);
		assertThat(entry(FIRST)).isEqualTo(deadline(FIRST) + " 1 " + since);
		assertThat(entry(SECOND)).isEqualTo(deadline(SECOND) + " 3 " + sharesSince);
	}

	@Test
	void restoredWaitersAreServedInTheirOrder() {
		this.client.queue(FIRST, LEASE); // which is its owner, because the lock is free
		this.client.queue(SECOND, LEASE);
		long now = this.client.timeMicros();
		this.client.release(FIRST, LEASE, 0);
		List<Object> reply = this.client.keepQueued(FIRST, now - 2, SECOND, 1, now - 1);
		assertThat(reply).startsWith(0L).endsWith(0L).hasSize(3);
		ListeningJvm<String> first = this.client.listen(FIRST);
		this.client.queue(SECOND, LEASE);
		assertThat(first.messages(1).get(0)).startsWith("grant " + FIRST);
	}

	@Test
	void aSharedHolderIsReportedAndNotQueued() {
		this.client.share(FIRST, LEASE, 3);
		assertThat(this.client.keepQueued(FIRST, 1)).endsWith(FIRST);
		this.client.share(SECOND, LEASE, 3);
		assertThat(this.client.keepQueued(FIRST, 1, SECOND, 3, 2).subList(3, 5)).containsExactly(FIRST, SECOND);
		assertThat(this.client.waiting()).isEmpty();
	}

	@Test
	void keptWaitersAreInformedOfAForeignOwner() {
		this.redis.command("SET", this.client.lock, "legacy", "PX", "" + LEASE);
		this.client.queue(FIRST, LEASE);
		assertThat(this.client.keepQueued(FIRST, 1)).hasSize(3).endsWith(1L);
	}

	@Test
	void aWaiterWithoutAReplyHasThePositionOfItsFirstCall() {
		this.client.take(OWNER, LEASE);
		this.client.queue(SECOND, LEASE);
		this.client.queueAgain(FIRST, LEASE, -5_000_000);
		assertThat(this.client.waiting()).containsExactly(FIRST, SECOND);
		assertThat(entry(FIRST)).matches("\\d{16} 1 \\d{16}");
		this.client.queueAgain("dddddddddddddddd:1", LEASE, -1);
		assertThat(this.client.waiting()).containsExactly(FIRST, SECOND, "dddddddddddddddd:1");
	}

	@Test
	void aDeadlineIsATimeOfRedisInWholeMicroseconds() {
		this.client.take(OWNER, LEASE);
		long before = this.client.timeMicros();
		this.client.queue(FIRST, LEASE);
		assertThat(deadline(FIRST)).isBetween(before + ScriptClient.LIFE_MILLIS * 1000,
				this.client.timeMicros() + ScriptClient.LIFE_MILLIS * 1000);
	}

	@Test
	void aWaiterBehindAnOwnerThatIsNotNotifiedHasToPoll() {
		this.client.take(OWNER, LEASE);
		assertThat(number(this.client.queue(FIRST, LEASE), 3)).isOne();
		this.client.listen(OWNER);
		assertThat(number(this.client.queueInFront(FIRST, LEASE), 3)).isZero();
	}

	@Test
	void allWaitersForPermitsHaveToPollBesideAHolderThatIsNotNotified() {
		this.client.share(OWNER, LEASE, 2);
		this.client.share("dddddddddddddddd:1", LEASE, 2);
		this.client.listen(OWNER);
		assertThat(number(this.client.queueToShare(FIRST, LEASE, 2), 3)).isOne();
		assertThat(number(this.client.queueToShare(SECOND, LEASE, 2), 3)).isOne();
	}

	@Test
	void anOwnerWithoutExpiryIsForeignEvenIfItLooksLikeOurs() {
		this.redis.command("SET", this.client.lock, OWNER);
		List<Object> reply = this.client.queue(FIRST, LEASE);
		assertThat(number(reply, 1)).isEqualTo(-1);
		assertThat(number(reply, 3)).isOne();
	}

	@Test
	void waitingNeverAcquiresOrExpiresAKeyWithoutExpiry() {
		this.redis.command("SET", this.client.lock, "legacy");
		this.client.queue(FIRST, LEASE);
		this.client.queue(FIRST, LEASE);
		this.client.release(FIRST, LEASE, 0);
		assertThat(this.client.owner()).isEqualTo("legacy");
		assertThat(this.client.remainingMillis(this.client.lock)).isEqualTo(-1);
	}

	@Test
	void theQueueExpiresWithoutFurtherCalls() {
		this.client.take(OWNER, LEASE);
		this.client.queue(FIRST, LEASE);
		assertThat(this.client.remainingMillis(this.client.queue)).isBetween(1L, 2 * ScriptClient.LIFE_MILLIS);
		assertThat(this.client.remainingMillis(this.client.deadlines)).isBetween(1L, 2 * ScriptClient.LIFE_MILLIS);
	}

	@Test
	void theFirstWaiterNotifiesTheOwnersJvmAgainWhenItRetries() {
		this.client.take(OWNER, LEASE);
		ListeningJvm<String> owner = this.client.listen(OWNER);
		this.client.queue(FIRST, LEASE);
		this.client.queue(SECOND, LEASE);
		assertThat(owner.messages(1)).containsExactly("queued " + OWNER);
		this.client.queueInFront(SECOND, LEASE);
		this.client.queueInFront(FIRST, LEASE);
		this.client.force();
		assertThat(owner.messages(3)).containsExactly("queued " + OWNER, "queued " + OWNER, "taken " + OWNER);
	}

	@Test
	void theNextWaiterNotifiesTheOwnersJvmIfTheFirstHasLeft() {
		this.client.take(OWNER, LEASE);
		this.client.queue(FIRST, LEASE);
		this.client.queue(SECOND, LEASE);
		ListeningJvm<String> owner = this.client.listen(OWNER);
		this.client.release(FIRST, LEASE, 0);
		this.client.queueInFront(SECOND, LEASE);
		assertThat(owner.messages(1)).containsExactly("queued " + OWNER);
	}

	@Test
	void restoredWaitersKeepTheirOrder() {
		this.client.take(OWNER, LEASE);
		List<String> waiters = IntStream.range(0, 20).mapToObj((i) -> "bbbbbbbbbbbbbbbb:" + i).toList();
		Map<String, Long> since = new HashMap<>();
		waiters.forEach((each) -> since.put(each, number(this.client.queue(each, LEASE), 2)));
		this.redis.command("DEL", this.client.queue, this.client.deadlines);
		List<String> mixed = new ArrayList<>(waiters);
		Collections.shuffle(mixed, new Random(7));
		mixed.forEach((each) -> this.client.queueAgain(each, LEASE, since.getOrDefault(each, 0L)));
		assertThat(this.client.waiting()).isEqualTo(waiters);
	}

	@Test
	void aWaiterOfAnOlderVersionWithoutItsArrivalTimeBlocksNoOther() {
		this.client.take(OWNER, LEASE);
		this.client.queue(SECOND, LEASE);
		this.client.live(SECOND, 5_000);
		this.client.queueAgain(FIRST, LEASE, this.client.timeMicros());
		assertThat(this.client.waiting()).containsExactly(FIRST, SECOND);
	}

	@Test
	void manyWaitersThatLeaveALongQueueLeaveNoEntriesBehind() {
		this.client.take(OWNER, LEASE);
		for (int i = 0; i < 500; i++) {
			this.client.queue("bbbbbbbbbbbbbbbb:" + i, LEASE);
		}
		for (int i = 0; i < 500; i += 2) {
			this.client.release("bbbbbbbbbbbbbbbb:" + i, LEASE, 0);
			assertThat(this.client.waiting()).hasSizeLessThanOrEqualTo(2 * waiting() + 100);
		}
		assertThat(waiting()).isEqualTo(250);
		for (int i = 1; i < 500; i += 2) {
			this.client.release("bbbbbbbbbbbbbbbb:" + i, LEASE, 0);
		}
		assertThat(this.client.exists(this.client.queue)).isFalse();
	}

	@Test
	void aSweptQueueKeepsItsOrder() {
		this.client.take(OWNER, LEASE);
		List<String> waiters = IntStream.range(0, 300).mapToObj((i) -> "bbbbbbbbbbbbbbbb:" + i).toList();
		waiters.forEach((each) -> this.client.queue(each, LEASE));
		waiters.subList(0, 290).forEach((each) -> this.client.release(each, LEASE, 0));
		assertThat(this.client.waiting()).endsWith(waiters.subList(290, 300).toArray(String[]::new));
		assertThat(this.client.remainingMillis(this.client.queue)).isPositive();
	}

	private int waiting() {
		return Integer.parseInt(String.valueOf(this.redis.command("HLEN", this.client.deadlines)));
	}

	@Test
	void anOwnerLearnsThatOneOfTheOthersPolls() {
		this.client.take(OWNER, LEASE);
		this.client.queue(FIRST, LEASE);
		this.client.queueAndPoll(SECOND, LEASE);
		assertThat(number(this.client.renew(OWNER, LEASE), 2)).isEqualTo(3);
	}

	// ---- waiters that poll

	@Test
	void aWaiterThatPollsIsQueuedAndItsMarkExpiresSoon() {
		this.client.take(OWNER, LEASE);
		this.client.queueAndPoll(FIRST, LEASE);
		assertThat(this.client.waiting()).containsExactly(FIRST);
		assertThat(this.client.remainingMillis(this.client.polled)).isBetween(1L, 1_000L);
	}

	@Test
	void theMarkOutlivesTheWaiterSoThatTheNextOwnerLearnsOfIt() {
		long token = this.client.take(OWNER, LEASE);
		this.client.queueAndPoll(FIRST, LEASE);
		this.client.release(FIRST, LEASE, 0);
		this.client.release(OWNER, LEASE, token);
		assertThat(this.client.exists(this.client.queue)).isFalse();
		assertThat(number(this.client.acquire(SECOND, LEASE, 0), 3)).isEqualTo(2);
		assertThat(number(this.client.renew(SECOND, LEASE), 2)).isEqualTo(2);
		this.client.release(SECOND, LEASE, 0);
		this.redis.command("DEL", this.client.polled);
		assertThat(number(this.client.acquire(SECOND, LEASE, 0), 3)).isZero();
	}

	@Test
	void theMarkOfAWaiterThatPollsIsReportedToOneThatSharesTheLock() {
		this.client.take(OWNER, LEASE);
		this.client.queueAndPoll(FIRST, LEASE);
		this.client.release(FIRST, LEASE, 0);
		this.client.release(OWNER, LEASE, 0);
		assertThat(number(this.client.share(SECOND, LEASE, 3), 3)).isPositive();
	}

	private long deadline(String waiter) {
		return Long.parseLong(entry(waiter).split(" ")[0]);
	}

	private String entry(String waiter) {
		return String.valueOf(this.redis.command("HGET", this.client.deadlines, waiter));
	}

}
