package io.github.lockboot.aop.leader;

import java.lang.reflect.Method;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;

import io.github.lockboot.aop.EmptyResult;
import io.github.lockboot.aop.MethodBody;
import io.github.lockboot.aop.ReactiveResult;
import io.github.lockboot.aop.ResultEnd;
import io.github.lockboot.aop.ResultKind;
import io.github.lockboot.leader.LeaderElection;

/**
 * Runs a method if this instance leads a role, and skips the call otherwise.
 */
interface LeaderMethod extends MethodInterceptor {

	static LeaderMethod of(LeaderElection election, Method method, Class<?> owner) {
		ResultKind kind = ResultKind.of(method, owner, "it ");
		Supplier<@Nullable Object> empty = EmptyResult.of(method, owner, "nothing");
		if (kind == ResultKind.REACTIVE) {
			return new OfPublisher(election, ReactiveResult.of(method, owner), empty);
		}
		ResultEnd shown = (kind == ResultKind.PLAIN) ? LeaderMethod::observe : ResultEnd.of(method, owner);
		return (call) -> {
			Runnable end = election.begin(kind == ResultKind.PLAIN);
			return (end != null) ? shown.run(call::proceed, end) : empty.get();
		};
	}

	/** Observe a call that ends when the method returns, or its stage is completed. */
	private static Object observe(Object result, Runnable end) {
		if (result instanceof CompletionStage<?> stage) {
			stage.whenComplete((value, failure) -> end.run());
		}
		else {
			end.run();
		}
		return result;
	}

	/**
	 * Decides at each subscription, because Spring's scheduler calls such a method only
	 * once. Loaded only where Reactor is present.
	 */
	record OfPublisher(LeaderElection election, ReactiveResult result,
			Supplier<@Nullable Object> empty) implements LeaderMethod {

		@Override
		public Object invoke(MethodInvocation call) {
			MethodBody body = MethodBody.repeatable(call);
			return this.result.returned(Flux.defer(() -> {
				Runnable end = this.election.begin(false);
				return (end != null) ? this.result.elements(body).doFinally((signal) -> end.run())
						: this.result.elements(this.empty::get);
			}));
		}

	}

}
