package io.github.lockboot.aop.lock;

import java.io.IOException;
import java.io.Serializable;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.stream.Stream;

import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.util.ObjectUtils;

import io.github.lockboot.LockDefaults;
import io.github.lockboot.LockNotAcquiredException;
import io.github.lockboot.LockUnavailableException;
import io.github.lockboot.RecordingLockOperations;
import io.github.lockboot.annotation.DistributedLock;
import io.github.lockboot.annotation.OnNotAcquired;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.mockito.Mockito.mock;

/**
 * Results of calls whose lock remains busy.
 */
class NotAcquiredTests {

	private static final LockedMethodDefaults SKIP = new LockedMethodDefaults(
			LockDefaults.defaults().withWaitTime(Duration.ZERO), false, true, null, null, OnNotAcquired.SKIP);

	private final List<String> events = new ArrayList<>();

	private final Jobs busy = busy().proxy(new Jobs(this.events));

	private final Jobs free = new LockedProxies(new RecordingLockOperations()).bean("desk", new Desk())
		.proxy(new Jobs(this.events));

	private static LockedProxies busy() {
		return new LockedProxies(new RefusingLocks()).bean("desk", new Desk());
	}

	@Test
	void throwsByDefault() {
		assertThatExceptionOfType(LockNotAcquiredException.class).isThrownBy(this.busy::plain);
		assertThat(this.events).isEmpty();
	}

	@Test
	void skippedCallReturnsNothingAndDoesNotRun() {
		this.busy.skipped();
		assertThat(this.busy.skippedText()).isNull();
		assertThat(this.events).isEmpty();
	}

	@ParameterizedTest
	@MethodSource
	void skippedCallReturnsAnEmptyContainer(Method method) throws Throwable {
		assertThat(skipped(method)).isInstanceOf(method.getReturnType())
			.matches((result) -> ObjectUtils.isEmpty(result) || result.toString().matches("Optional\\w+\\.empty"));
	}

	static Stream<Method> skippedCallReturnsAnEmptyContainer() {
		return Stream.of(Containers.class.getMethods());
	}

	@ParameterizedTest
	@MethodSource
	void skippedCallReturnsNullOfOtherTypes(Method method) throws Throwable {
		assertThat(skipped(method)).isNull();
	}

	static Stream<Method> skippedCallReturnsNullOfOtherTypes() {
		return Stream.of(Others.class.getMethods());
	}

	private static @Nullable Object skipped(Method method) throws Throwable {
		return NotAcquiredHandler.skipping(method, method.getDeclaringClass())
			.answer(mock(MethodInvocation.class), new LockNotAcquiredException("busy", Duration.ZERO, null));
	}

	@Test
	void callThatAcquiresItsLockIsNotSkipped() {
		assertThat(this.free.skippedText()).isEqualTo("done");
		assertThat(this.events).containsExactly("body");
	}

	@Test
	void propertyOfTheNameMakesACallSkip() {
		Jobs jobs = busy().defaults("plain", SKIP).proxy(new Jobs(this.events));
		jobs.plain();
		assertThat(this.events).isEmpty();
	}

	@Test
	void annotationOverridesTheProperty() {
		Jobs jobs = busy().defaults("strict", SKIP).proxy(new Jobs(this.events));
		assertThatExceptionOfType(LockNotAcquiredException.class).isThrownBy(jobs::strict);
	}

	@Test
	void busyLockInsideTheMethodIsNotTakenForTheMethodsOwn() {
		assertThatExceptionOfType(LockNotAcquiredException.class).isThrownBy(this.free::skippedWithBusyInside)
			.satisfies((ex) -> assertThat(ex.lockName()).isEqualTo("inside"));
		assertThatExceptionOfType(LockNotAcquiredException.class).isThrownBy(this.free::fallbackWithBusyInside)
			.satisfies((ex) -> assertThat(ex.lockName()).isEqualTo("inside"));
	}

	@Test
	void unavailableStoreCausesNeitherASkipNorAFallback() {
		Jobs jobs = new LockedProxies(
				new RefusingLocks((request) -> new LockUnavailableException(request.name(), "down", null)))
			.bean("desk", new Desk())
			.proxy(new Jobs(this.events));
		assertThatExceptionOfType(LockUnavailableException.class).isThrownBy(jobs::skippedText);
		assertThatExceptionOfType(LockUnavailableException.class).isThrownBy(() -> jobs.fallback("a", 1));
		assertThat(this.events).isEmpty();
	}

	@Test
	void callThatIsRefusedBecauseTooManyWaitHasTheSameResults() {
		Jobs jobs = new LockedProxies(new RefusingLocks(
				(request) -> LockNotAcquiredException.tooManyWaiting(request.name(), Duration.ZERO, 100)))
			.bean("desk", new Desk())
			.proxy(new Jobs(this.events));
		assertThat(jobs.skippedText()).isNull();
		assertThat(jobs.fallbackWithReason("a")).isEqualTo("a for reason");
		assertThat(this.events).isEmpty();
	}

	@Test
	void errorOfTheMethodCallsNoFallback() {
		assertThatIllegalStateException().isThrownBy(this.free::fallbackOfAFailure).withMessage("body");
	}

	@Test
	void fallbackReceivesTheArguments() {
		assertThat(this.busy.fallback("a", 1)).isEqualTo("other a1");
	}

	@Test
	void fallbackReceivesTheReasonIfItDeclaresIt() {
		assertThat(this.busy.fallbackWithReason("a")).isEqualTo("a for reason");
	}

	@Test
	void fallbackMayBeAMethodOfAnotherBean() {
		assertThat(this.busy.fallbackOfABean("a")).isEqualTo("desk a");
	}

	@Test
	void fallbackMayReturnASubtypeAndTakeASupertype() {
		assertThat(this.busy.fallbackOfOtherTypes("a")).isEqualTo("a");
	}

	@Test
	void resultOfAFallbackOfAVoidMethodIsIgnored() {
		this.busy.fallbackOfVoid();
		assertThat(this.events).containsExactly("instead");
	}

	@Test
	void exceptionOfAFallbackIsThrownUnchanged() {
		assertThatExceptionOfType(IOException.class).isThrownBy(this.busy::fallbackThatFails).withMessage("fallback");
	}

	@Test
	void callThatAcquiresItsLockDoesNotCallItsFallback() {
		assertThat(this.free.fallback("a", 1)).isEqualTo("done");
	}

	static class Jobs {

		private final List<String> events;

		Jobs() {
			this(List.of());
		}

		Jobs(List<String> events) {
			this.events = events;
		}

		private String done() {
			this.events.add("body");
			return "done";
		}

		@DistributedLock(name = "plain")
		public void plain() {
			done();
		}

		@DistributedLock(name = "strict", onNotAcquired = OnNotAcquired.THROW)
		public void strict() {
			done();
		}

		@DistributedLock(onNotAcquired = OnNotAcquired.SKIP)
		public void skipped() {
			done();
		}

		@DistributedLock(onNotAcquired = OnNotAcquired.SKIP)
		public @Nullable String skippedText() {
			return done();
		}

		@DistributedLock(onNotAcquired = OnNotAcquired.SKIP)
		public void skippedWithBusyInside() {
			throw new LockNotAcquiredException("inside", Duration.ZERO, null);
		}

		@DistributedLock(fallback = "instead")
		public void fallbackWithBusyInside() {
			throw new LockNotAcquiredException("inside", Duration.ZERO, null);
		}

		@DistributedLock(fallback = "instead")
		public void fallbackOfAFailure() {
			throw new IllegalStateException("body");
		}

		@DistributedLock(fallback = "other")
		public String fallback(String text, int number) {
			return done();
		}

		private String other(String text, int number) {
			return "other " + text + number;
		}

		@DistributedLock(fallback = "withReason")
		public String fallbackWithReason(String text) {
			return done();
		}

		String withReason(String text, LockNotAcquiredException reason) {
			return text + ((reason.lockName() != null) ? " for reason" : "");
		}

		@DistributedLock(fallback = "desk::answer")
		public String fallbackOfABean(String text) {
			return done();
		}

		@DistributedLock(fallback = "similar")
		public CharSequence fallbackOfOtherTypes(String text) {
			return done();
		}

		String similar(CharSequence text) {
			return text.toString();
		}

		@DistributedLock(fallback = "instead")
		public void fallbackOfVoid() {
			done();
		}

		boolean instead() {
			return this.events.add("instead");
		}

		@DistributedLock(fallback = "failing")
		public void fallbackThatFails() throws IOException {
			done();
		}

		void failing() throws IOException {
			throw new IOException("fallback");
		}

	}

	static class Desk {

		public String answer(String text) {
			return "desk " + text;
		}

		String hidden(String text) {
			return text;
		}

	}

	private interface Containers {

		Iterable<String> iterable();

		Collection<String> collection();

		List<String> list();

		Set<String> set();

		SortedSet<String> sortedSet();

		NavigableSet<String> navigableSet();

		Map<String, String> map();

		SortedMap<String, String> sortedMap();

		NavigableMap<String, String> navigableMap();

		String[] array();

		byte[] bytes();

		Optional<String> optional();

		OptionalInt optionalInt();

		OptionalLong optionalLong();

		OptionalDouble optionalDouble();

	}

	private interface Others {

		Object object();

		Serializable serializable();

		ArrayList<String> arrayList();

		String text();

		Integer number();

	}

}
