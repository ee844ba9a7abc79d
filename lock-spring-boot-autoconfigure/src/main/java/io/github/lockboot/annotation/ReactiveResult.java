package io.github.lockboot.annotation;

import java.lang.reflect.Method;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;

import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.springframework.core.MethodParameter;
import org.springframework.core.ReactiveAdapter;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import io.github.lockboot.LockNotAcquiredException;
import io.github.lockboot.OnLost;
import io.github.lockboot.ReactiveLockOperations;
import io.github.lockboot.advice.RepeatableCall;

/**
 * A publisher, or what Spring turns into one: each subscription is a call of its own,
 * which is locked until it completes, fails or is cancelled. Loaded only where Reactor is
 * present.
 */
final class ReactiveResult implements ResultKind {

	private static final String FLOW = "kotlinx.coroutines.flow.Flow";

	private final boolean several;

	private final Function<@Nullable Object, Publisher<Object>> toPublisher;

	private final Function<Publisher<Object>, Object> fromPublisher;

	private ReactiveResult(boolean several, Function<@Nullable Object, Publisher<Object>> toPublisher,
			Function<Publisher<Object>, Object> fromPublisher) {
		this.several = several;
		this.toPublisher = toPublisher;
		this.fromPublisher = fromPublisher;
	}

	static ReactiveResult of(ReactiveAdapter adapter) {
		return new ReactiveResult(adapter.isMultiValue(), adapter::toPublisher, adapter::fromPublisher);
	}

	/** A proxy makes a publisher of a suspend function before its advice sees it. */
	static ReactiveResult suspending(Method method) {
		boolean several = new MethodParameter(method, -1).getParameterType().getName().equals(FLOW);
		return new ReactiveResult(several, ReactiveResult::publisher, (publisher) -> publisher);
	}

	@SuppressWarnings("unchecked")
	private static Publisher<Object> publisher(@Nullable Object result) {
		return (result instanceof Publisher<?> publisher) ? (Publisher<Object>) publisher : Mono.justOrEmpty(result);
	}

	@Override
	public @Nullable Object run(MethodInvocation call, Locking locking) {
		RepeatableCall repeatable = RepeatableCall.of(call);
		Flux<Object> locked = Flux.defer(() -> locked(repeatable, locking));
		return this.fromPublisher.apply(this.several ? locked : locked.singleOrEmpty());
	}

	private Flux<Object> locked(MethodInvocation call, Locking locking) {
		LockedInvocation invocation = locking.invocation(call);
		if (invocation == null) {
			return result(call::proceed);
		}
		AtomicBoolean begun = new AtomicBoolean();
		Flux<Object> section = Flux.defer(() -> {
			begun.set(true);
			return result(invocation::proceed);
		});
		return ReactiveLockOperations.of(invocation.operations(), OnLost.LOG)
			.execute(invocation.request(), section)
			.onErrorResume(LockNotAcquiredException.class,
					(reason) -> begun.get() ? Flux.error(reason) : result(() -> invocation.refuse(reason)));
	}

	private Flux<Object> result(Body body) {
		try {
			return Flux.from(this.toPublisher.apply(body.run()));
		}
		catch (Throwable ex) {
			return Flux.error(ex);
		}
	}

	private interface Body {

		@Nullable Object run() throws Throwable;

	}

}
