package io.github.lockboot.aop.lock;

import java.io.IOException;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.core.annotation.AliasFor;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.mock.env.MockPropertySource;

import io.github.lockboot.LockDefaults;
import io.github.lockboot.LockKeyException;
import io.github.lockboot.LockRequest;
import io.github.lockboot.RecordingLockOperations;
import io.github.lockboot.annotation.DistributedLock;
import io.github.lockboot.annotation.NoLockOperationsException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Calls of annotated methods, with locks that only record their calls.
 */
class LockedMethodTests {

	private static final String ORDERS = Orders.class.getName();

	private final RecordingLockOperations locks = new RecordingLockOperations();

	private final DefaultListableBeanFactory beans = new DefaultListableBeanFactory();

	private final StandardEnvironment environment = new StandardEnvironment();

	@Test
	void methodRunsInsideItsLock() {
		Orders orders = new Orders(this.locks.events());
		assertThat(proxy(orders).pay("42")).isEqualTo("paid 42");
		assertThat(this.locks.events()).containsExactly("lock", "body", "unlock");
	}

	@Test
	void groupIsTheNameAndNeverTheKey() {
		orders().pay("42");
		assertThat(this.locks.request().group()).isEqualTo("orders");
	}

	@Test
	void valueIsTheKey() {
		orders().byValue("42");
		assertThat(this.locks.names()).containsExactly(ORDERS + ".byValue(String):42");
	}

	@Test
	void overloadsAreDistinct() {
		orders().overloaded("1");
		orders().overloaded(1L);
		orders().overloaded(new Long[0]);
		assertThat(this.locks.names()).containsExactly(ORDERS + ".overloaded(String)", ORDERS + ".overloaded(long)",
				ORDERS + ".overloaded(Long[])");
	}

	@Test
	void colonInTheNameDoesNotSeparateTheKey() {
		orders().nameWithColon("c");
		orders().keyWithColon("b:c");
		assertThat(this.locks.names()).containsExactly("a%3Ab:c", "a:b:c");
	}

	@Test
	void nameWithoutKeyIsEscapedToo() {
		orders().nameWithColonOnly();
		orders().nameWithPercentOnly();
		assertThat(this.locks.names()).containsExactly("a%3Ab", "a%253Ab");
	}

	@Test
	void severalKeysAreLockedInOneOrderRegardlessOfTheCallersOrder() {
		orders().transfer("b", "a");
		orders().transfer("a", "b");
		assertThat(this.locks.names()).containsExactly("account:a", "account:b", "account:a", "account:b");
	}

	@Test
	void severalLocksAreAcquiredByOneRequest() {
		Orders orders = new Orders(this.locks.events());
		proxy(orders).transfer("b", "a");
		assertThat(this.locks.events()).containsExactly("lock", "body", "unlock");
	}

	@Test
	void equalKeysAreOneLock() {
		orders().transfer("a", "a");
		assertThat(this.locks.names()).containsExactly("account:a");
	}

	@Test
	void placeholdersAreResolvedInEveryAttribute() {
		this.environment.getPropertySources()
			.addFirst(new MockPropertySource().withProperty("shop", "berlin").withProperty("wait", "0"));
		orders().placeholders();
		assertThat(this.locks.request()).isEqualTo(LockRequest.of("berlin")
			.group("berlin")
			.waitTime(Duration.ZERO)
			.leaseTime(Duration.ofSeconds(9))
			.renew(true)
			.onLost(LockDefaults.defaults().onLost())
			.reason("LockedMethodTests.Orders.placeholders"));
	}

	@Test
	void exceptionOfTheMethodIsThrownUnchanged() {
		assertThatExceptionOfType(IOException.class).isThrownBy(() -> orders().failing()).withMessage("broken");
		assertThat(this.locks.events()).containsExactly("lock", "unlock");
	}

	@Test
	void keyThatUtf8CannotEncodeIsAnErrorThatNamesTheMethod() {
		assertThatExceptionOfType(LockKeyException.class).isThrownBy(() -> orders().pay("a\ud83d"))
			.withMessageStartingWith("Key '#id' of " + ORDERS + ".pay(String) does not give the name of a lock: ")
			.withMessageContaining("a\\ud83d' has half of a surrogate pair")
			.satisfies((ex) -> assertThat(ex.expression()).isEqualTo("#id"));
		assertThat(this.locks.events()).isEmpty();
	}

	@Test
	void interceptorNeverRunsAMethodWithoutALock() {
		ProxyFactory factory = new ProxyFactory(new Orders(this.locks.events()));
		factory.addAdvice(annotations().advisor().getAdvice());
		Orders proxy = (Orders) factory.getProxy();
		assertThatIllegalStateException().isThrownBy(proxy::free).withMessageContaining("Orders.free()");
	}

	@Test
	void composedAnnotationPassesItsAttributesOn() {
		orders().composed("42");
		assertThat(this.locks.request().name()).isEqualTo("nightly:42");
		assertThat(this.locks.request().waitTime()).isZero();
	}

	@Test
	void lambdaIsNamedByItsInterfaceBecauseItsClassDiffersInEveryJvm() {
		this.beans.registerSingleton("locks", this.locks);
		Handler<String> handler = (value) -> {
		};
		Handler<?> proxy = proxyOf(handler, Handler.class);
		proxy.toString();
		assertThat(this.locks.names()).isEmpty();
		handle(proxy);
		assertThat(this.locks.names()).containsExactly(Handler.class.getName() + ".handle(Object):42");
	}

	@Test
	void callWithoutABackendFails() {
		Orders proxy = proxyOf(new Orders(this.locks.events()), Orders.class);
		assertThatExceptionOfType(NoLockOperationsException.class).isThrownBy(proxy::plain);
		assertThat(this.locks.events()).isEmpty();
	}

	@SuppressWarnings("unchecked")
	private static void handle(Handler<?> handler) {
		((Handler<String>) handler).handle("42");
	}

	private Orders orders() {
		return proxy(new Orders(new ArrayList<>()));
	}

	@SuppressWarnings("unchecked")
	private <T> T proxy(T target) {
		if (!this.beans.containsSingleton("locks")) {
			this.beans.registerSingleton("locks", this.locks);
		}
		return (T) proxyOf(target, target.getClass());
	}

	private <T> T proxyOf(Object target, Class<T> type) {
		ProxyFactory factory = new ProxyFactory(target);
		factory.setProxyTargetClass(!type.isInterface());
		factory.addAdvisor(annotations().advisor());
		return type.cast(factory.getProxy());
	}

	private LockAnnotations annotations() {
		return new LockAnnotations(this.beans, this.environment::resolveRequiredPlaceholders,
				(name) -> LockedProxies.DEFAULTS, 0, true, Runnable::run);
	}

	static class Orders {

		private final List<String> events;

		Orders() {
			this(List.of());
		}

		Orders(List<String> events) {
			this.events = events;
		}

		@DistributedLock(name = "orders", key = "#id")
		public String pay(@Nullable String id) {
			this.events.add("body");
			return "paid " + id;
		}

		@DistributedLock("#id")
		public void byValue(String id) {
		}

		@DistributedLock
		public void plain() {
		}

		@DistributedLock
		public void overloaded(String value) {
		}

		@DistributedLock
		public void overloaded(long value) {
		}

		@DistributedLock
		public void overloaded(Long[] value) {
		}

		@DistributedLock(name = "a:b", key = "#key")
		public void nameWithColon(String key) {
		}

		@DistributedLock(name = "a", key = "#key")
		public void keyWithColon(String key) {
		}

		@DistributedLock(name = "a:b")
		public void nameWithColonOnly() {
		}

		@DistributedLock(name = "a%3Ab")
		public void nameWithPercentOnly() {
		}

		@DistributedLock(name = "account", key = "{#from, #to}")
		public void transfer(String from, String to) {
			this.events.add("body");
		}

		@DistributedLock(name = "${shop}", waitTime = "${wait}", leaseTime = "${lease:9s}")
		public void placeholders() {
		}

		@DistributedLock
		public void failing() throws IOException {
			throw new IOException("broken");
		}

		@Nightly("#id")
		public void composed(String id) {
		}

		public void free() {
		}

	}

	@Retention(RetentionPolicy.RUNTIME)
	@DistributedLock(name = "nightly", waitTime = "0")
	@interface Nightly {

		@AliasFor(annotation = DistributedLock.class, attribute = "key")
		String value();

	}

	interface Handler<T> {

		@DistributedLock(key = "#p0")
		void handle(T value);

	}

}
