package io.github.lockboot.autoconfigure;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.Banner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import reactor.core.publisher.Mono;

import io.github.lockboot.LockOperations;
import io.github.lockboot.RecordingLockOperations;
import io.github.lockboot.annotation.DistributedLock;
import io.github.lockboot.local.LocalLockTemplate;

/**
 * An application in a JVM with AspectJ's weaver. Prints for each call which locks it
 * acquired.
 */
final class WovenApplication {

	private WovenApplication() {
	}

	public static void main(String[] properties) throws Exception {
		say("early", () -> new Orders().pay("1"));
		try (ConfigurableApplicationContext context = start(Recording.class, properties)) {
			RecordingLockOperations locks = context.getBean(RecordingLockOperations.class);
			Orders bean = context.getBean(Orders.class);
			say("bean", () -> names(locks, () -> bean.pay("1")));
			say("proxied", () -> bean.getClass() != Orders.class);
			say("self", () -> names(locks, () -> bean.payByItself("2")));
			say("new", () -> names(locks, () -> new Orders().pay("3")));
			say("private", () -> names(locks, () -> new Orders().callPrivate()));
			say("static", () -> names(locks, Orders::shared));
			say("composed", () -> names(locks, () -> new Orders().composed()));
			say("generic", () -> names(locks, () -> new Generic().call("4")));
			say("type", () -> names(locks, () -> new WholeType().work()));
			say("object method", () -> names(locks, () -> new WholeType().toString()));
			say("nested", () -> names(locks, () -> new WholeType.Nested().work()));
		}
		say("closed", () -> new Orders().pay("1"));
		try (ConfigurableApplicationContext context = start(InMemory.class, properties)) {
			LocalLockTemplate locks = context.getBean(LocalLockTemplate.class);
			say("stage", () -> new Orders().later(locks).join());
			say("mono", () -> new Orders().mono(locks).block());
			say("released", () -> !locks.inspect("orders").isHeld());
		}
		System.out.println("end");
	}

	private static ConfigurableApplicationContext start(Class<?> configuration, String... properties) {
		return new SpringApplicationBuilder(configuration).web(WebApplicationType.NONE)
			.bannerMode(Banner.Mode.OFF)
			.properties(properties)
			.run();
	}

	private static void say(String what, Callable<?> call) {
		try {
			System.out.println(what + ": " + call.call());
		}
		catch (Exception ex) {
			System.out.println(what + ": " + ex.toString().replace('\n', ' '));
		}
	}

	private static Object names(RecordingLockOperations locks, Callable<?> call) throws Exception {
		locks.requests().clear();
		call.call();
		return locks.names();
	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration(DistributedLockAutoConfiguration.class)
	static class Recording {

		@Bean
		RecordingLockOperations locks() {
			return new RecordingLockOperations();
		}

		@Bean
		Orders orders() {
			return new Orders();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ DistributedLockAutoConfiguration.class, LocalLockAutoConfiguration.class })
	static class InMemory {

	}

	@Retention(RetentionPolicy.RUNTIME)
	@DistributedLock(name = "composed")
	@interface Composed {

	}

	interface Caller<T> {

		String call(T value);

	}

	static class Generic implements Caller<String> {

		@Override
		@DistributedLock(name = "generic", key = "#value")
		public String call(String value) {
			return value;
		}

	}

	static class Orders {

		@DistributedLock(name = "orders", key = "#id")
		public String pay(String id) {
			return "paid " + id;
		}

		public String payByItself(String id) {
			return pay(id);
		}

		@DistributedLock(name = "private")
		private String hidden() {
			return "hidden";
		}

		String callPrivate() {
			return hidden();
		}

		@DistributedLock(name = "static")
		static String shared() {
			return "shared";
		}

		@Composed
		String composed() {
			return "composed";
		}

		@DistributedLock(name = "orders")
		CompletableFuture<Boolean> later(LockOperations locks) {
			return CompletableFuture.completedFuture(locks.inspect("orders").isHeld());
		}

		@DistributedLock(name = "orders")
		Mono<Boolean> mono(LockOperations locks) {
			return Mono.fromCallable(() -> locks.inspect("orders").isHeld());
		}

	}

	@DistributedLock(name = "type")
	static class WholeType {

		public @Nullable String work() {
			return "work";
		}

		@Override
		public String toString() {
			return "whole";
		}

		static class Nested {

			public String work() {
				return "nested";
			}

		}

	}

}
