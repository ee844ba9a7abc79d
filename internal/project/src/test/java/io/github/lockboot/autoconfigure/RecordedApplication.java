package io.github.lockboot.autoconfigure;

import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.Lock;

import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.Banner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.transaction.annotation.Transactional;
import reactor.core.publisher.Mono;
import tools.jackson.databind.json.JsonMapper;

import io.github.lockboot.LockHandle;
import io.github.lockboot.LockOperations;
import io.github.lockboot.LockRequest;
import io.github.lockboot.ReactiveLockOperations;
import io.github.lockboot.annotation.DistributedLock;
import io.github.lockboot.annotation.DistributedSemaphore;
import io.github.lockboot.annotation.LeaderOnly;
import io.github.lockboot.annotation.LockMode;
import io.github.lockboot.annotation.ScheduledLock;
import io.github.lockboot.autoconfigure.jdbc.JdbcLockTemplates;
import io.github.lockboot.cache.RedisCache;
import io.github.lockboot.cache.RedisCacheEvict;
import io.github.lockboot.jdbc.JdbcLockTemplate;
import io.github.lockboot.leader.LeaderElection;

/**
 * An application that is processed ahead of time. The application uses each kind of lock
 * in Redis and in a database, an election, the cache and the endpoints, and then fails to
 * start because of a wrong address.
 */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
class RecordedApplication {

	public static void main(String[] arguments) throws JMException {
		try (ConfigurableApplicationContext context = start(arguments)) {
			callMethods(context.getBean(Orders.class), context.getBean("redisLockTemplate", LockOperations.class));
			context.getBeansOfType(LockOperations.class).values().forEach(RecordedApplication::lockByHand);
			System.out.println("reactive: "
					+ context.getBean(ReactiveLockOperations.class).execute("reactive", Mono.just(1)).block());
			lead(context);
			cache(context.getBean(Products.class));
			askEndpoints();
		}
		String[] wrong = Arrays.copyOf(arguments, arguments.length + 1);
		wrong[arguments.length] = "--spring.data.redis.url=redis://localhost:1";
		try (ConfigurableApplicationContext context = start(wrong)) {
			System.out.println("started: " + context.getId());
		}
		catch (RuntimeException ex) {
			System.out.println("end");
		}
	}

	private static ConfigurableApplicationContext start(String... arguments) {
		return new SpringApplicationBuilder(RecordedApplication.class).web(WebApplicationType.NONE)
			.bannerMode(Banner.Mode.OFF)
			.properties("lock.leader.roles=reports", "lock.fence-initialize-schema=always", "spring.jmx.enabled=true",
					"management.endpoints.jmx.exposure.include=*", "spring.datasource.url=jdbc:h2:mem:shop",
					"spring.data.redis.repositories.enabled=false")
			.run(arguments);
	}

	private static void callMethods(Orders orders, LockOperations locks) {
		System.out.println("class: " + orders.getClass().getSimpleName());
		System.out.println("held: " + orders.pay(new AotApplication.Order("42")));
		System.out.println("shared: " + orders.read(7));
		System.out.println("semaphore: " + orders.ask(7));
		System.out.println("stage: " + orders.payLater(7).join());
		System.out.println("publisher: " + orders.payReactively(7).block());
		orders.change(7);
		orders.cleanUp();
		LockHandle other = CompletableFuture.supplyAsync(() -> locks.acquire("busy:7")).join();
		System.out.println("fallback: " + orders.skipIfBusy(7));
		other.close();
	}

	private static void lockByHand(LockOperations locks) {
		locks.execute("a", () -> System.out.println("token: " + locks.fencingToken("a")));
		locks.execute(LockRequest.allOf("a", "b"), () -> System.out.println("state: " + locks.inspect("b")));
		locks.semaphore("permits", 2).acquire().close();
		locks.acquireAsync(LockRequest.of("later")).toCompletableFuture().join().close();
		Lock reader = locks.asReadWriteLock("book").readLock();
		reader.lock();
		reader.unlock();
		System.out.println("list: " + locks.list("*", null, 10).size());
	}

	private static void lead(ApplicationContext context) {
		LeaderElection election = context.getBean(LeaderElection.class);
		while (!election.isLeader()) {
			Thread.onSpinWait();
		}
		context.getBean(Orders.class).report();
		System.out.println("role: " + election.role());
	}

	private static void cache(Products products) {
		System.out.println("loaded: " + products.find(new ProductId(7)));
		System.out.println("cached: " + products.find(new ProductId(7)));
		products.change(new ProductId(7));
	}

	private static void askEndpoints() throws JMException {
		ask("Locks", "locks", null, null, "cluster", null, null, null);
		ask("Locks", "locks", "orders:42/42", null, null, null, null, null);
		ask("Leaders", "leaders");
		ask("Health", "health");
	}

	private static void ask(String endpoint, String operation, @Nullable Object... arguments) throws JMException {
		MBeanServer server = ManagementFactory.getPlatformMBeanServer();
		ObjectName name = new ObjectName("org.springframework.boot:type=Endpoint,name=" + endpoint);
		System.out.println(operation + ": " + server.invoke(name, operation, arguments, new String[arguments.length]));
	}

	@Bean
	Orders orders(LockOperations locks, JdbcTemplate jdbc) {
		return new Orders(locks, jdbc);
	}

	@Bean
	AotApplication.Keys keys() {
		return new AotApplication.Keys();
	}

	@Bean
	Products products() {
		return new Products();
	}

	@Bean
	Numbers numbers() {
		return new Numbers();
	}

	@Bean(defaultCandidate = false)
	JdbcLockTemplate databaseLocks(ApplicationContext context) {
		return JdbcLockTemplates.create(context, new DriverManagerDataSource("jdbc:h2:mem:locks;DB_CLOSE_DELAY=-1"));
	}

	/** Writes the replies of the endpoints. */
	@Bean
	JsonMapper jsonMapper() {
		return JsonMapper.builder().build();
	}

	static class Orders {

		private final LockOperations locks;

		private final JdbcTemplate jdbc;

		Orders(LockOperations locks, JdbcTemplate jdbc) {
			this.locks = locks;
			this.jdbc = jdbc;
		}

		@DistributedLock(name = "orders", key = "#order.id + '/' + @keys.of(#order)")
		public boolean pay(AotApplication.Order order) {
			return this.locks.inspect("orders:42/42").isHeld();
		}

		@DistributedLock(name = "readers", key = "#root.methodName + #id", mode = LockMode.SHARED)
		public int read(int id) {
			return id;
		}

		@DistributedSemaphore(name = "suppliers", permits = "2", condition = "#id > 0")
		public int ask(int id) {
			return id;
		}

		@DistributedLock(name = "stages", key = "#id")
		public CompletableFuture<Integer> payLater(int id) {
			return CompletableFuture.completedFuture(id);
		}

		@DistributedLock(name = "publishers", key = "#id")
		public Mono<Integer> payReactively(int id) {
			return Mono.just(id);
		}

		@Transactional
		@DistributedLock(name = "stock", key = "#id")
		public void change(int id) {
			this.jdbc.execute("select " + id);
		}

		@ScheduledLock(name = "cleanup", minHoldTime = "10ms")
		public void cleanUp() {
		}

		@DistributedLock(name = "busy", key = "#id", waitTime = "0", fallback = "skip")
		public String skipIfBusy(int id) {
			return "done";
		}

		String skip(int id) {
			return "skipped";
		}

		@LeaderOnly("reports")
		public void report() {
			System.out.println("leads");
		}

	}

	static class Products {

		@RedisCache(name = "product")
		public List<Product> find(ProductId id) {
			return List.of(new Product(id.number(), "pen"));
		}

		@RedisCacheEvict(name = "product", key = "@numbers.of(#id)")
		public void change(ProductId id) {
		}

	}

	static class Numbers {

		public int of(ProductId id) {
			return id.number();
		}

	}

	record ProductId(int number) {
	}

	record Product(int number, String name) {
	}

}
