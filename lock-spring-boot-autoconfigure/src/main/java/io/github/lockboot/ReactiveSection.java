package io.github.lockboot;

import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * One run of a section in its hold: leaves the hold however it ends, and lets a lost
 * lease be felt as its caller wishes.
 *
 * @param <T> type of the values
 */
final class ReactiveSection<T> {

	private final ReactiveHold hold;

	private final OnLost onLost;

	private final Flux<T> body;

	ReactiveSection(ReactiveHold hold, OnLost onLost, Flux<T> body) {
		this.hold = hold;
		this.onLost = onLost;
		this.body = body;
	}

	/** To be subscribed to once. */
	Flux<T> run() {
		return Flux
			.usingWhen(Mono.just(this.hold), (hold) -> hold.acquired().flatMapMany(this::run), ReactiveHold::leave,
					(hold, failure) -> fail(failure), ReactiveHold::leave)
			.concatWith(Mono.defer(this::complete));
	}

	private Flux<T> run(LockHandle handle) {
		return (this.onLost == OnLost.INTERRUPT) ? this.body.takeUntilOther(loss(handle)) : this.body;
	}

	/** Completes, since {@code takeUntilOther} cancels the body only then. */
	private static Mono<Void> loss(LockHandle handle) {
		return Mono.create((sink) -> handle.onLost((QuickCallback) sink::success));
	}

	private Mono<T> complete() {
		LockLostException loss = lossToTell();
		return (loss != null) ? Mono.error(loss) : Mono.empty();
	}

	private Mono<Void> fail(Throwable failure) {
		return this.hold.leave().then(Mono.fromRunnable(() -> {
			LockLostException loss = lossToTell();
			if (loss != null && loss != failure) {
				failure.addSuppressed(loss);
			}
		}));
	}

	private @Nullable LockLostException lossToTell() {
		return (this.onLost != OnLost.LOG) ? this.hold.loss() : null;
	}

}
