package io.github.lockboot.test.example;

import java.time.Duration;
import java.util.List;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import io.github.lockboot.LockDefaults;
import io.github.lockboot.LockHandle;
import io.github.lockboot.LockRequest;
import io.github.lockboot.local.LocalLockTemplate;
import io.github.lockboot.test.LockJournal;
import io.github.lockboot.test.OtherNode;

import static io.github.lockboot.test.LockAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

class PlainTests {

	private final LockJournal journal = new LockJournal();

	private final LocalLockTemplate locks = new LocalLockTemplate(LockDefaults.defaults(), List.of(this.journal));

	private final OtherNode otherNode = OtherNode.beside(this.locks, this.journal);

	@AfterEach
	void close() {
		this.otherNode.close();
		this.locks.close();
	}

	@Test
	void busyLockIsSkipped() {
		this.otherNode.hold("report");
		LockRequest request = LockRequest.of("report").waitTime(Duration.ZERO);
		assertThat(this.locks.tryExecute(request, () -> {
		})).isFalse();
	}

	@Test
	void lostLockIsDetected() {
		try (LockHandle handle = this.locks.acquire("report")) {
			this.otherNode.takeOver("report");
			assertThat(handle).isLost();
		}
	}

}
