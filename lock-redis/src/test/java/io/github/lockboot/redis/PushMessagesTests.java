package io.github.lockboot.redis;

import org.junit.jupiter.api.Test;
import org.mockito.ArgumentCaptor;

import io.github.lockboot.engine.store.LockPushes;
import io.github.lockboot.engine.store.LockStore;
import io.github.lockboot.engine.store.LockStore.LockAttempt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verify;

class PushMessagesTests {

	@Test
	void aGrantTellsThatOneOfThoseThatWaitPolls() {
		assertThat(grant(2).queued()).isEqualTo(LockStore.POLLED_QUEUE);
		assertThat(grant(3).queued()).isEqualTo(LockStore.POLLED_QUEUE);
	}

	@Test
	void aGrantConsistsOfTheWordsOfItsMessage() {
		LockAttempt attempt = new LockAttempt("orders:42", "bbbbbbbbbbbbbbbb:1", 2000, 1);
		assertThat(grant(1)).isEqualTo(new LockPushes.Grant(attempt, 7, 8, 9, 1));
		assertThat(grant(0).queued()).isZero();
	}

	private static LockPushes.Grant grant(int others) {
		LockPushes pushes = mock(LockPushes.class);
		LockKeys keys = new LockKeys("lock:");
		new PushMessages(keys, pushes, true, () -> {
		}).message("any", "grant bbbbbbbbbbbbbbbb:1 7 8 9 2000 " + others + " " + keys.of("orders:42")[0]);
		ArgumentCaptor<LockPushes.Grant> grant = ArgumentCaptor.forClass(LockPushes.Grant.class);
		verify(pushes).granted(grant.capture());
		return grant.getValue();
	}

}
