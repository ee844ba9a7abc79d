package io.github.lockboot.cache.protocol;

import org.junit.jupiter.api.Test;

import io.github.lockboot.fixture.RedisFixture;
import io.github.lockboot.fixture.RedisServer;

import static org.assertj.core.api.Assertions.assertThat;

class CachePutIfNewerScriptTests extends CacheScriptTests {

	private static final String ONE = "8000000000000001";

	private static final String TWO = "8000000000000002";

	private static final String HIGH = "8000000100000000";

	CachePutIfNewerScriptTests(RedisServer redis) {
		super(redis);
	}

	@Test
	void theFirstVersionIsStoredAndExpires() {
		assertThat(this.client.putIfNewer("value", ONE)).containsExactly(1L);
		assertThat(this.client.entry()).isEqualTo("value");
		assertThat(this.client.remainingMillis(this.client.keys.data())).isBetween(CacheScriptClient.LIFE - 10_000,
				CacheScriptClient.LIFE);
		assertThat(this.client.remainingMillis(this.client.keys.version())).isBetween(CacheScriptClient.LIFE - 10_000,
				CacheScriptClient.LIFE);
	}

	@Test
	void aHigherVersionReplaces() {
		this.client.putIfNewer("one", ONE);
		assertThat(this.client.putIfNewer("two", TWO)).containsExactly(1L);
		assertThat(this.client.putIfNewer("high", HIGH)).containsExactly(1L);
		assertThat(this.client.entry()).isEqualTo("high");
	}

	@Test
	void theSameVersionIsRejected() {
		this.client.putIfNewer("one", ONE);
		assertThat(this.client.putIfNewer("again", ONE)).containsExactly(0L);
		assertThat(this.client.entry()).isEqualTo("one");
	}

	@Test
	void aLowerVersionIsRejected() {
		this.client.putIfNewer("high", HIGH);
		assertThat(this.client.putIfNewer("two", TWO)).containsExactly(0L);
		assertThat(this.client.entry()).isEqualTo("high");
	}

	@Test
	void aLowerVersionIsRejectedEvenAfterAnEvict() {
		this.client.putIfNewer("two", TWO);
		this.client.evict(0);
		assertThat(this.client.putIfNewer("one", ONE)).containsExactly(0L);
		assertThat(this.client.exists(this.client.keys.data())).isFalse();
	}

	@Test
	void theLeaseIsRevoked() {
		this.client.acquire("a");
		this.client.putIfNewer("new", ONE);
		assertThat(this.client.store("a", "old")).containsExactly(0L);
		assertThat(this.client.entry()).isEqualTo("new");
	}

	@Test
	void aRejectedPutKeepsTheLease() {
		this.client.putIfNewer("two", TWO);
		this.client.evict(0);
		this.client.acquire("a");
		this.client.putIfNewer("one", ONE);
		assertThat(this.client.store("a", "loaded")).containsExactly(1L);
	}

	@Test
	void waitersReceiveTheEntry() {
		this.client.acquire("a");
		this.client.acquire("b", "", "jvm1", "");
		try (RecordingInbox jvm = this.client.listen("jvm1")) {
			this.client.putIfNewer("new", ONE);
			assertThat(jvm.messages(1)).containsExactly("V b new");
		}
	}

	@Test
	void localCopiesAreInvalidated() {
		try (RecordingInbox jvm = this.client.listenToChanges()) {
			this.client.putIfNewer("new", ONE);
			assertThat(jvm.messages(1)).containsExactly(this.client.keys.data());
		}
	}

	@Test
	void worksAfterTheScriptsWereFlushed() {
		this.redis.command("SCRIPT", "FLUSH");
		assertThat(this.client.putIfNewer("value", ONE)).containsExactly(1L);
	}

	@Test
	void anEmptyEntryEvictsEvenWithoutMemoryAndItsVersionIsRemembered() {
		try (RedisServer full = RedisFixture.newServer(); CacheScriptClient client = new CacheScriptClient(full)) {
			client.putIfNewer("old", ONE);
			client.exhaustMemory();
			assertThat(client.putIfNewer("", TWO)).containsExactly(0L);
			assertThat(client.exists(client.keys.data())).isFalse();
			assertThat(full.command("GET", client.keys.version())).isEqualTo(TWO);
		}
	}

	@Test
	void anEmptyEntryThatIsNotNewerEvictsNothing() {
		this.client.putIfNewer("two", TWO);
		assertThat(this.client.putIfNewer("", ONE)).containsExactly(0L);
		assertThat(this.client.entry()).isEqualTo("two");
	}

	@Test
	void withoutMemoryItIsAnEvict() {
		try (RedisServer full = RedisFixture.newServer(); CacheScriptClient client = new CacheScriptClient(full)) {
			client.putIfNewer("old", ONE);
			client.acquire("a");
			client.exhaustMemory();
			assertThat(client.putIfNewer("new", TWO)).containsExactly(0L);
			assertThat(client.exists(client.keys.data())).isFalse();
			assertThat(client.exists(client.keys.lease())).isFalse();
			assertThat(client.exists(client.keys.tombstone())).isTrue();
			assertThat(client.putIfNewer("late", TWO)).containsExactly(0L);
			assertThat(full.command("GET", client.keys.version())).isEqualTo(TWO);
		}
	}

}
