package io.github.lockboot.aop;

import java.lang.reflect.Method;
import java.util.Objects;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.springframework.core.KotlinDetector;
import org.springframework.core.ReactiveAdapter;
import org.springframework.core.ReactiveAdapterRegistry;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import io.github.lockboot.Internal;

/**
 * Converts the results of a reactive method or a suspend function into a {@link Flux} and
 * back. Loaded only where Reactor is present.
 *
 * @param isSeveral whether there may be several elements
 * @param isSuspending whether the method is a suspend function
 * @param toPublisher converts what the method returns
 * @param fromPublisher converts a publisher into what the method returns
 */
@Internal
public record ReactiveResult(boolean isSeveral, boolean isSuspending,
		Function<@Nullable Object, Publisher<Object>> toPublisher, Function<Publisher<Object>, Object> fromPublisher) {

	private static final String FLOW = "kotlinx.coroutines.flow.Flow";

	/** Return the conversions for a method of a class. */
	public static ReactiveResult of(Method method, Class<?> owner) {
		Class<?> type = ResultKind.resultOf(method, owner).toClass();
		if (KotlinDetector.isSuspendingFunction(method)) {
			// the proxy has converted it into a publisher before its advice runs
			return new ReactiveResult(type.getName().equals(FLOW), true, ReactiveResult::publisher,
					(publisher) -> publisher);
		}
		ReactiveAdapter adapter = Objects.requireNonNull(ReactiveAdapterRegistry.getSharedInstance().getAdapter(type));
		return new ReactiveResult(adapter.isMultiValue(), false, adapter::toPublisher, adapter::fromPublisher);
	}

	@SuppressWarnings("unchecked")
	private static Publisher<Object> publisher(@Nullable Object result) {
		return (result instanceof Publisher<?> publisher) ? (Publisher<Object>) publisher : Mono.justOrEmpty(result);
	}

	/** Convert elements into the type that the method returns. */
	public Object returned(Flux<Object> elements) {
		return this.fromPublisher.apply(this.isSeveral ? elements : elements.singleOrEmpty());
	}

	/** Run the method, or a body that returns the same type, and return the elements. */
	public Flux<Object> elements(MethodBody body) {
		try {
			return Flux.from(this.toPublisher.apply(body.proceed()));
		}
		catch (Throwable ex) {
			return Flux.error(ex);
		}
	}

}
