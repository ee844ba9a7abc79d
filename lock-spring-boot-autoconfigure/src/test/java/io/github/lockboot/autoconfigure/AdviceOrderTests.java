package io.github.lockboot.autoconfigure;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.cache.annotation.Cacheable;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.cache.concurrent.ConcurrentMapCacheManager;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.resilience.annotation.EnableResilientMethods;
import org.springframework.resilience.annotation.Retryable;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.security.access.AccessDeniedException;
import org.springframework.security.access.prepost.PostAuthorize;
import org.springframework.security.access.prepost.PreAuthorize;
import org.springframework.security.authentication.TestingAuthenticationToken;
import org.springframework.security.config.annotation.method.configuration.EnableMethodSecurity;
import org.springframework.security.core.context.SecurityContextHolder;

import io.github.lockboot.LockCallback;
import io.github.lockboot.LockRequest;
import io.github.lockboot.RecordingLockOperations;
import io.github.lockboot.annotation.DistributedLock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * The order of the lock and of other annotations of Spring.
 */
class AdviceOrderTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(AopAutoConfiguration.class, DistributedLockAutoConfiguration.class))
		.withUserConfiguration(Application.class);

	@AfterEach
	void logOut() {
		SecurityContextHolder.clearContext();
	}

	@Test
	void asyncIsOutsideSoThatThePoolsThreadAcquiresTheLock() {
		this.runner.run((context) -> {
			ThreadLocks locks = context.getBean(ThreadLocks.class);
			context.getBean(Service.class).async();
			Awaitility.await().untilAsserted(() -> assertThat(locks.events()).contains("unlock"));
			assertThat(locks.events()).containsExactly("lock", "body", "unlock");
			assertThat(locks.threads()).singleElement().isNotEqualTo(Thread.currentThread());
		});
	}

	@Test
	void retryIsOutsideSoThatEveryAttemptAcquiresTheLock() {
		this.runner.run((context) -> {
			assertThat(context.getBean(Service.class).retried()).isEqualTo("done");
			assertThat(context.getBean(ThreadLocks.class).events()).containsExactly("lock", "body", "unlock", "lock",
					"body", "unlock");
		});
	}

	@Test
	void authorizationIsOutsideSoThatADeniedCallAcquiresNoLock() {
		this.runner.run((context) -> {
			logIn("guest");
			Service service = context.getBean(Service.class);
			assertThatExceptionOfType(AccessDeniedException.class).isThrownBy(service::forAdmins);
			assertThat(context.getBean(ThreadLocks.class).events()).isEmpty();
		});
	}

	@Test
	void authorizationOfTheResultRunsAfterTheLockIsReleased() {
		this.runner.run((context) -> {
			logIn("guest");
			Service service = context.getBean(Service.class);
			assertThatExceptionOfType(AccessDeniedException.class).isThrownBy(service::resultForAdmins);
			assertThat(context.getBean(ThreadLocks.class).events()).containsExactly("lock", "body", "unlock");
		});
	}

	@Test
	void springsCacheIsInsideSoThatALoadIsCachedUnderTheLock() {
		this.runner.withUserConfiguration(CacheInside.class).run((context) -> {
			Service service = context.getBean(Service.class);
			service.cached("a");
			service.cached("a");
			assertThat(context.getBean(ThreadLocks.class).events()).containsExactly("lock", "body", "unlock", "lock",
					"unlock");
		});
	}

	@Test
	void springsCacheCanBeMovedOutsideSoThatAHitAcquiresNoLock() {
		this.runner.withUserConfiguration(CacheOutside.class).run((context) -> {
			Service service = context.getBean(Service.class);
			service.cached("a");
			service.cached("a");
			assertThat(context.getBean(ThreadLocks.class).events()).containsExactly("lock", "body", "unlock");
		});
	}

	private static void logIn(String role) {
		SecurityContextHolder.getContext().setAuthentication(new TestingAuthenticationToken("someone", "", role));
	}

	static class Service {

		private final ThreadLocks locks;

		Service(ThreadLocks locks) {
			this.locks = locks;
		}

		@Async
		@DistributedLock(name = "async")
		public void async() {
			this.locks.events().add("body");
		}

		@Retryable(maxRetries = 3, delay = 1)
		@DistributedLock(name = "retried")
		public String retried() {
			this.locks.events().add("body");
			if (this.locks.threads().size() == 1) {
				throw new IllegalStateException("once more");
			}
			return "done";
		}

		@Cacheable("cached")
		@DistributedLock(name = "cached", key = "#id")
		public String cached(String id) {
			this.locks.events().add("body");
			return id;
		}

		@PreAuthorize("hasAuthority('admin')")
		@DistributedLock(name = "admins")
		public void forAdmins() {
			this.locks.events().add("body");
		}

		@PostAuthorize("hasAuthority('admin')")
		@DistributedLock(name = "admins")
		public String resultForAdmins() {
			this.locks.events().add("body");
			return "secret";
		}

	}

	static class ThreadLocks extends RecordingLockOperations {

		private final List<Thread> threads = new CopyOnWriteArrayList<>();

		List<Thread> threads() {
			return this.threads;
		}

		@Override
		public <T extends @Nullable Object, X extends Throwable> T execute(LockRequest request,
				LockCallback<T, X> section) throws X {
			this.threads.add(Thread.currentThread());
			return super.execute(request, section);
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAsync
	@EnableResilientMethods
	@EnableMethodSecurity
	@Import({ ThreadLocks.class, Service.class, ConcurrentMapCacheManager.class })
	static class Application {

	}

	@Configuration(proxyBeanMethods = false)
	@EnableCaching
	static class CacheInside {

	}

	@Configuration(proxyBeanMethods = false)
	@EnableCaching(order = 0)
	static class CacheOutside {

	}

}
