package io.github.lockboot.autoconfigure;

import java.io.File;
import java.lang.ref.WeakReference;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.core.env.MapPropertySource;

import io.github.lockboot.LockHandle;
import io.github.lockboot.LockOperations;
import io.github.lockboot.LockRequest;
import io.github.lockboot.fixture.JvmProcess;
import io.github.lockboot.fixture.RedisServer;
import io.github.lockboot.fixture.RedisTest;

/**
 * An application that is undeployed from a server: nothing keeps its class loader. The
 * server is a JVM of its own, as threads of the JDK keep the loader of their first user.
 */
@RedisTest
@Timeout(120)
class UndeployedApplicationTests {

	private static final Duration LIMIT = Duration.ofSeconds(100);

	private final RedisServer redis;

	UndeployedApplicationTests(RedisServer redis) {
		this.redis = redis;
	}

	@Test
	void itsClassLoaderIsCollectedAfterItHasHeldAndAwaitedLocks() {
		try (JvmProcess server = JvmProcess.start(
				List.of("-Xmx256m", "-XX:TieredStopAtLevel=1", "-XX:SoftRefLRUPolicyMSPerMB=0"), Server.class,
				this.redis.host(), String.valueOf(this.redis.port()))) {
			server.awaitLine("^collected$", LIMIT);
		}
	}

	static final class Server {

		private Server() {
		}

		public static void main(String[] args) throws Exception {
			WeakReference<ClassLoader> application = deployed(args);
			forget();
			Awaitility.await().atMost(LIMIT).until(() -> {
				System.gc();
				return application.get() == null;
			});
			System.out.println("collected");
		}

		/** Let the JDK replace the type that it has cached of the last record. */
		private static void forget() {
			Last last = new Last(new Server());
			System.out.println(last.equals(new Last(null)) + " " + last.hashCode() + last);
		}

		private record Last(@Nullable Server server) {

		}

		/** Run the application on a thread of its own, which ends with it. */
		private static WeakReference<ClassLoader> deployed(String[] args) throws Exception {
			URLClassLoader loader = new URLClassLoader(classPath(), ClassLoader.getPlatformClassLoader());
			Thread thread = new Thread(() -> {
				try {
					Class.forName(Application.class.getName(), true, loader)
						.getMethod("run", String[].class)
						.invoke(null, (Object) args);
				}
				catch (ReflectiveOperationException ex) {
					ex.printStackTrace();
				}
			});
			thread.setContextClassLoader(loader);
			thread.start();
			thread.join();
			loader.close();
			return new WeakReference<>(loader);
		}

		private static URL[] classPath() throws MalformedURLException {
			List<URL> urls = new ArrayList<>();
			for (String path : System.getProperty("java.class.path").split(File.pathSeparator)) {
				urls.add(new File(path).toURI().toURL());
			}
			return urls.toArray(URL[]::new);
		}

	}

	public static final class Application {

		private Application() {
		}

		public static void run(String[] args) {
			try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
				context.getEnvironment()
					.getPropertySources()
					.addFirst(new MapPropertySource("server",
							Map.of("spring.data.redis.host", args[0], "spring.data.redis.port", args[1],
									"lock.shutdown.timeout", "100ms", "lock.hold-warning-time", "1s")));
				context.register(AutoConfigurations.getClasses(AutoConfigurations.of(DataRedisAutoConfiguration.class,
						RedisLockAutoConfiguration.class, DistributedLockAutoConfiguration.class,
						LockMonitoringAutoConfiguration.class, LockShutdownAutoConfiguration.class)));
				context.refresh();
				LockOperations locks = context.getBean(LockOperations.class);
				locks.acquire("held");
				LockRequest busy = LockRequest.of("held").waitTime(Duration.ofMillis(300));
				CompletableFuture<LockHandle> awaited = locks.tryAcquireAsync(busy).toCompletableFuture();
				locks.acquireAsync(LockRequest.of("other")).thenAccept(LockHandle::close).toCompletableFuture().join();
				awaited.join();
				locks.acquireAsync(busy.waitTime(Duration.ofMinutes(1)));
			}
		}

	}

}
