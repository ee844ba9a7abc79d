package io.github.lockboot.concurrent;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class DaemonThreadsTests {

	private final DaemonThreads threads = new DaemonThreads("connector");

	@Test
	void aTaskRunsInANamedDaemonThread() {
		assertThat(CompletableFuture.supplyAsync(Thread::currentThread, this.threads))
			.succeedsWithin(Duration.ofSeconds(30))
			.satisfies((thread) -> assertThat(thread.getName()).isEqualTo("connector"))
			.satisfies((thread) -> assertThat(thread.isDaemon()).isTrue());
	}

	@Test
	void aTaskDoesNotWaitForOthers() {
		CompletableFuture<String> meeting = new CompletableFuture<String>().completeOnTimeout("in vain", 20,
				TimeUnit.SECONDS);
		this.threads.execute(meeting::join);
		this.threads.execute(() -> meeting.complete("met"));
		assertThat(meeting).succeedsWithin(Duration.ofSeconds(30)).isEqualTo("met");
	}

}
