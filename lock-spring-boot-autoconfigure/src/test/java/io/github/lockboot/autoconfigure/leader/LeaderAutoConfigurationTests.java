package io.github.lockboot.autoconfigure.leader;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.event.EventListener;
import org.springframework.scheduling.TaskScheduler;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import reactor.core.publisher.Mono;

import io.github.lockboot.CapturedLog;
import io.github.lockboot.LockHandle;
import io.github.lockboot.LockOperations;
import io.github.lockboot.actuate.LeadersDescriptor.RoleDescriptor;
import io.github.lockboot.actuate.LeadersEndpoint;
import io.github.lockboot.annotation.DistributedLock;
import io.github.lockboot.annotation.LeaderOnly;
import io.github.lockboot.annotation.OnNotAcquired;
import io.github.lockboot.autoconfigure.LockHealthContributorAutoConfiguration;
import io.github.lockboot.autoconfigure.LockRunners;
import io.github.lockboot.autoconfigure.LockSetupException;
import io.github.lockboot.autoconfigure.LockShutdownAutoConfiguration;
import io.github.lockboot.fixture.BareStage;
import io.github.lockboot.fixture.RedisFixture;
import io.github.lockboot.fixture.RedisServer;
import io.github.lockboot.fixture.RedisTest;
import io.github.lockboot.leader.LeaderElected;
import io.github.lockboot.leader.LeaderElection;
import io.github.lockboot.leader.LeaderRevoked;
import io.github.lockboot.leader.Leadership;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Leaders of applications that share a Redis.
 */
@RedisTest
@Timeout(90)
class LeaderAutoConfigurationTests {

	private final ApplicationContextRunner runner;

	private final List<Runnable> jobs = new ArrayList<>();

	LeaderAutoConfigurationTests(RedisServer redis) {
		this.runner = LockRunners
			.redis(redis, LockShutdownAutoConfiguration.class, LeaderAutoConfiguration.class,
					LeadersEndpointAutoConfiguration.class)
			.withPropertyValues("lock.leader.roles=reports", "management.endpoints.web.exposure.include=*");
	}

	@Test
	void listenersReceiveTheEventsAndKeepTheLockUntilTheyHaveReturned() {
		Listener listener = new Listener();
		this.runner.withBean(Listener.class, () -> listener).run((context) -> {
			awaitLeader(context);
			Leadership leadership = leadershipOf(context);
			listener.locks = context.getBean(LockOperations.class);
			context.getSourceApplicationContext().close();
			assertThat(listener.events).containsExactly(new LeaderElected(leadership), new LeaderRevoked(leadership),
					"held true");
		});
	}

	@Test
	void annotatedMethodsRunOnTheLeaderOnly() {
		withTwoInstances(this.runner.withBean(Reports.class), (leader, other) -> {
			Reports skipped = other.getBean(Reports.class);
			Mono<String> mono = skipped.mono();
			assertThat(leader.getBean(Reports.class).text()).isEqualTo("made");
			assertThat(skipped.text()).isNull();
			assertThat(skipped.optional()).isEmpty();
			assertThat(skipped.list()).isEmpty();
			assertThat(mono.blockOptional()).isEmpty();
			leader.getSourceApplicationContext().close();
			awaitLeader(other);
			assertThat(skipped.text()).isEqualTo("made");
			assertThat(mono.block()).as("another subscription").isEqualTo("made");
		});
	}

	@Test
	void aRunThatIsNotOfTheLeaderIsLeftToTheLeader() {
		this.runner.withBean(Index.class).run((context) -> {
			awaitLeader(context);
			try (CapturedLog log = new CapturedLog()) {
				LockHandle busy = context.getBean(LockOperations.class).acquire("index");
				context.getBean(Index.class).build();
				election(context).stop();
				busy.close();
				Awaitility.await().until(() -> !log.lines("was refused by another advice").isEmpty());
			}
			assertThat(context.getBean(Index.class).runs()).isZero();
			election(context).start();
			Awaitility.await().until(() -> context.getBean(Index.class).runs() == 1);
		});
	}

	@Test
	void aScheduledMethodRunsOnTheLeaderOnly() {
		withTwoInstances(
				this.runner.withUserConfiguration(Scheduling.class)
					.withBean(Job.class)
					.withBean("taskScheduler", TaskScheduler.class, () -> LockRunners.handDriven(this.jobs)),
				(leader, other) -> {
					assertThat(this.jobs).hasSize(2);
					this.jobs.forEach(Runnable::run);
					assertThat(leader.getBean(Job.class).runs()).isEqualTo(1);
					assertThat(other.getBean(Job.class).runs()).isZero();
				});
	}

	@ParameterizedTest
	@ValueSource(strings = { "value", "stage", "stage without a future", "several stages", "stream", "publisher",
			"scheduled" })
	void theNextLeaderWaitsUntilTheWorkOfTheFormerOneHasEnded(String kind) {
		withTwoInstances(
				this.runner.withUserConfiguration(Scheduling.class)
					.withBean(LongWork.class)
					.withBean("taskScheduler", TaskScheduler.class, () -> LockRunners.handDriven(this.jobs)),
				(leader, other) -> {
					LongWork work = leader.getBean(LongWork.class);
					Thread thread = new Thread(() -> work.begin(kind, this.jobs.get(0)));
					thread.start();
					Awaitility.await().until(() -> work.runs() == 1);
					Thread close = new Thread(leader.getSourceApplicationContext()::close);
					close.start();
					Awaitility.await().until(() -> !election(leader).isLeader());
					assertThat(other.getBean(LockOperations.class).inspect("leader:reports").isHeld()).isTrue();
					assertThat(election(other).isLeader()).isFalse();
					work.end();
					awaitLeader(other);
				});
	}

	@Test
	void manyRolesLogAnOutageOnce() {
		String roles = IntStream.range(0, 50).mapToObj((number) -> "role-" + number).collect(Collectors.joining(","));
		try (CapturedLog log = new CapturedLog(); RedisServer outage = RedisFixture.newServer()) {
			this.runner
				.withPropertyValues("spring.data.redis.port=" + outage.port(), "lock.leader.roles=" + roles,
						"lock.leader.lease-time=2s")
				.run((context) -> {
					Awaitility.await()
						.until(() -> context.getBeansOfType(LeaderElection.class)
							.values()
							.stream()
							.allMatch(LeaderElection::isLeader));
					outage.freeze();
					Awaitility.await().until(() -> !log.lines("can't be elected").isEmpty());
					Awaitility.await().until(() -> !log.lines("more locks were lost").isEmpty());
					outage.thaw();
				});
			assertThat(log.lines("can't be elected")).hasSize(1);
			assertThat(log.lines("Lock 'leader:role-")).hasSizeLessThan(50);
		}
	}

	@Test
	void anElectionIsInjectedByItsRole() {
		this.runner.withPropertyValues("lock.leader.roles=reports,invoices")
			.withBean(Injected.class)
			.run((context) -> assertThat(context.getBean(Injected.class).election.role()).isEqualTo("invoices"));
	}

	@Test
	void anElectionByHandIsABeanLikeThoseOfTheProperties() {
		this.runner.withPropertyValues("lock.leader.roles=").withUserConfiguration(ByHand.class).run((context) -> {
			awaitLeader(context);
			assertThat(context.getBean(LeadersEndpoint.class).leaders().roles()).containsOnlyKeys("reports");
		});
	}

	@Test
	void theEndpointAndTheHealthShowTheRolesAndEachInstanceIsUp() {
		withTwoInstances(
				this.runner.withConfiguration(AutoConfigurations.of(LockHealthContributorAutoConfiguration.class)),
				(leader, other) -> {
					Leadership leadership = leadershipOf(leader);
					assertShown(leader, new RoleDescriptor(true, leadership.since(), leadership.fencingToken()));
					assertShown(other, new RoleDescriptor(false, null, null));
				});
	}

	private static void assertShown(AssertableApplicationContext context, RoleDescriptor role) {
		assertThat(context.getBean(LeadersEndpoint.class).leaders().roles()).containsEntry("reports", role);
		assertThat(context.getBean("leadersHealthContributor", HealthIndicator.class).health())
			.isEqualTo(Health.up().withDetail("reports", role).build());
	}

	@Test
	void theHealthOfLeadersCanBeDisabled() {
		this.runner.withConfiguration(AutoConfigurations.of(LockHealthContributorAutoConfiguration.class))
			.withPropertyValues("management.health.leaders.enabled=false")
			.run((context) -> assertThat(context).doesNotHaveBean("leadersHealthContributor")
				.hasBean("locksHealthContributor"));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			lock.leader.roles=reports,,x        | roles      | A role must not be blank: remove it, or the comma
			lock.leader.roles=reports,x,reports | roles      | Each role must be named once
			lock.leader.lease-time=1ms          | lease-time | must be between 10 ms and 365 days
			""")
	void invalidPropertiesStopTheStart(String property, String field, String message) {
		this.runner.withPropertyValues(property)
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContainingAll("'lock.leader' on field '" + field + "'", message));
	}

	@Test
	void twoElectionsOfOneRoleStopTheStart() {
		this.runner.withUserConfiguration(ByHand.class)
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOf(LockSetupException.class)
				.hasMessageContainingAll("two leader elections of role 'reports'", "'byHand'",
						"'lockbootLeaderElection-reports'"));
	}

	@Test
	void aBeanOfTheApplicationDoesNotHideARole() {
		this.runner.withBean("reportsLeaderElection", String.class, () -> "another bean")
			.run((context) -> assertThat(election(context).role()).isEqualTo("reports"));
	}

	@Test
	void methodsThatCannotBeOfTheLeaderOnlyStopTheStart() {
		this.runner.withBean(Wrong.class)
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOf(LockSetupException.class)
				.hasMessageContainingAll(
						"Wrong.unknownRole() is invalid: no leader is elected for its role 'invoices', but for 'reports': add"
								+ " the role to lock.leader.roles, or define a LeaderElection bean for it",
						"Wrong.blankRole() is invalid: its role is blank: name one of lock.leader.roles",
						"Wrong.primitive() is invalid: it returns int, which has no value for a skipped call: return a"
								+ " wrapper type, or nothing",
						"Wrong.sealed() is final, so that no proxy can guard it: remove 'final'"));
	}

	@Test
	void aCallPastTheProxyLogsAWarning() {
		try (CapturedLog log = new CapturedLog()) {
			this.runner.withBean(Selfish.class)
				.run((context) -> assertThat(log.lines("Selfish.all calls run() on its own object, where the called"
						+ " method runs on every instance: call the method from another bean"))
					.hasSize(1));
		}
	}

	@Test
	void disabledLocksRunTheMethodsEverywhereWithAWarning() {
		try (CapturedLog log = new CapturedLog()) {
			this.runner.withPropertyValues("lock.enabled=false").withBean(Reports.class).run((context) -> {
				assertThat(context).doesNotHaveBean(LeaderElection.class);
				assertThat(context.getBean(Reports.class).text()).isEqualTo("made");
				assertThat(log.lines("@LeaderOnly is ignored and methods run on every instance: 4")).hasSize(1);
			});
		}
	}

	private static void withTwoInstances(ApplicationContextRunner runner,
			BiConsumer<AssertableApplicationContext, AssertableApplicationContext> test) {
		runner.run((leader) -> {
			awaitLeader(leader);
			runner.run((other) -> test.accept(leader, other));
		});
	}

	private static void awaitLeader(AssertableApplicationContext context) {
		Awaitility.await().until(election(context)::isLeader);
	}

	private static LeaderElection election(AssertableApplicationContext context) {
		return context.getBean(LeaderElection.class);
	}

	private static Leadership leadershipOf(AssertableApplicationContext context) {
		return Objects.requireNonNull(election(context).leadership());
	}

	static class Index {

		private final AtomicInteger runs = new AtomicInteger();

		@LeaderOnly("reports")
		@DistributedLock(name = "index", leaseTime = "1s", onNotAcquired = OnNotAcquired.RERUN)
		public void build() {
			this.runs.incrementAndGet();
		}

		public int runs() {
			return this.runs.get();
		}

	}

	static class Reports {

		@LeaderOnly("reports")
		public @Nullable String text() {
			return "made";
		}

		@LeaderOnly("${role:reports}")
		public Optional<String> optional() {
			return Optional.of("made");
		}

		@LeaderOnly("reports")
		public List<String> list() {
			return List.of("made");
		}

		@LeaderOnly("reports")
		public Mono<String> mono() {
			return Mono.just("made");
		}

	}

	static class Job {

		private int runs;

		@Scheduled(cron = "0 0 3 * * *")
		@LeaderOnly("reports")
		public void run() {
			this.runs++;
		}

		int runs() {
			return this.runs;
		}

	}

	record Injected(@Qualifier("invoices") LeaderElection election) {
	}

	static class Listener {

		private final List<Object> events = new CopyOnWriteArrayList<>();

		private @Nullable LockOperations locks;

		@EventListener
		void elected(LeaderElected event) {
			this.events.add(event);
		}

		@EventListener
		void revoked(LeaderRevoked event) {
			this.events.add(event);
			this.events.add("held " + Objects.requireNonNull(this.locks).inspect("leader:reports").isHeld());
		}

	}

	static class Selfish {

		@LeaderOnly("reports")
		void run() {
		}

		void all() {
			run();
		}

	}

	static class Wrong {

		@LeaderOnly("invoices")
		public void unknownRole() {
		}

		@LeaderOnly("${role:}")
		public void blankRole() {
		}

		@LeaderOnly("reports")
		public int primitive() {
			return 1;
		}

		@LeaderOnly("reports")
		public final void sealed() {
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class ByHand {

		@Bean
		LeaderElection byHand(LockOperations locks) {
			return LeaderElection.of(locks, "reports");
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableScheduling
	static class Scheduling {

	}

	static class LongWork {

		private final AtomicInteger runs = new AtomicInteger();

		private final CompletableFuture<String> done = new CompletableFuture<>();

		@Autowired
		@Lazy
		private LongWork proxy;

		public int runs() {
			return this.runs.get();
		}

		public void end() {
			this.done.complete("done");
		}

		public void begin(String kind, Runnable job) {
			switch (kind) {
				case "value" -> this.proxy.value();
				case "stage" -> this.proxy.stage();
				case "stage without a future" -> this.proxy.bareStage();
				case "stream" -> this.done.thenRun(this.proxy.stream()::close);
				case "several stages" -> this.proxy.stages();
				case "publisher" -> this.proxy.publisher().subscribe();
				default -> job.run();
			}
		}

		@LeaderOnly("reports")
		@Scheduled(cron = "0 0 0 1 1 *")
		public void value() {
			this.runs.incrementAndGet();
			this.done.join();
		}

		@LeaderOnly("reports")
		public CompletableFuture<String> stage() {
			this.runs.incrementAndGet();
			return this.done;
		}

		@LeaderOnly("reports")
		public CompletionStage<String> bareStage() {
			this.runs.incrementAndGet();
			return BareStage.of(this.done);
		}

		@LeaderOnly("reports")
		public List<CompletionStage<String>> stages() {
			this.runs.incrementAndGet();
			return List.of(CompletableFuture.completedStage("done"), BareStage.of(this.done));
		}

		@LeaderOnly("reports")
		public Stream<String> stream() {
			this.runs.incrementAndGet();
			return Stream.of("done");
		}

		@LeaderOnly("reports")
		public Mono<String> publisher() {
			return Mono.fromFuture(this.done).doOnSubscribe((subscription) -> this.runs.incrementAndGet());
		}

	}

}
