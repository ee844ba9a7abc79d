package io.github.lockboot.docs;

import java.io.IOException;
import java.io.StringWriter;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongUnaryOperator;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

import javax.sql.DataSource;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.StandardLocation;
import javax.tools.ToolProvider;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.mockito.Mockito;
import org.springframework.batch.core.BatchStatus;
import org.springframework.batch.core.configuration.annotation.EnableBatchProcessing;
import org.springframework.batch.core.configuration.annotation.EnableJdbcJobRepository;
import org.springframework.batch.core.job.Job;
import org.springframework.batch.core.job.JobExecution;
import org.springframework.batch.core.job.builder.JobBuilder;
import org.springframework.batch.core.job.parameters.JobParameters;
import org.springframework.batch.core.job.parameters.JobParametersBuilder;
import org.springframework.batch.core.repository.JobRepository;
import org.springframework.batch.core.step.builder.StepBuilder;
import org.springframework.batch.infrastructure.item.ExecutionContext;
import org.springframework.batch.infrastructure.repeat.RepeatStatus;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.handler.NoUnboundElementsBindHandler;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisProperties;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcClientAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcTemplateAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.PropertySource;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.core.io.ClassPathResource;
import org.springframework.integration.support.leader.LockRegistryLeaderInitiator;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;
import org.springframework.modulith.events.IncompleteEventPublications;
import org.springframework.resilience.annotation.EnableResilientMethods;
import org.springframework.test.util.ReflectionTestUtils;
import org.springframework.transaction.PlatformTransactionManager;

import io.github.lockboot.LockHandle;
import io.github.lockboot.LockListener;
import io.github.lockboot.LockOperations;
import io.github.lockboot.LockRequest;
import io.github.lockboot.StaleTokenException;
import io.github.lockboot.autoconfigure.DistributedLockAutoConfiguration;
import io.github.lockboot.autoconfigure.LocalLockAutoConfiguration;
import io.github.lockboot.autoconfigure.LockProperties;
import io.github.lockboot.autoconfigure.ReactiveLockAutoConfiguration;
import io.github.lockboot.autoconfigure.bridge.LockRegistryAutoConfiguration;
import io.github.lockboot.autoconfigure.jdbc.JdbcLockAutoConfiguration;
import io.github.lockboot.autoconfigure.jdbc.JdbcLockProperties;
import io.github.lockboot.autoconfigure.leader.LeaderAutoConfiguration;
import io.github.lockboot.autoconfigure.leader.LeaderProperties;
import io.github.lockboot.autoconfigure.zookeeper.ZookeeperLockProperties;
import io.github.lockboot.cache.autoconfigure.CacheAnnotationsAutoConfiguration;
import io.github.lockboot.cache.autoconfigure.CacheProperties;
import io.github.lockboot.cache.autoconfigure.RedisCacheAutoConfiguration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * The examples of the documentation work without changes.
 */
class ExamplesTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(DataSourceAutoConfiguration.class, JdbcTemplateAutoConfiguration.class,
				JdbcClientAutoConfiguration.class, DataSourceTransactionManagerAutoConfiguration.class,
				TransactionAutoConfiguration.class, DistributedLockAutoConfiguration.class,
				LocalLockAutoConfiguration.class, JdbcLockAutoConfiguration.class, ReactiveLockAutoConfiguration.class,
				LeaderAutoConfiguration.class, LockRegistryAutoConfiguration.class, DataRedisAutoConfiguration.class,
				CacheAnnotationsAutoConfiguration.class, RedisCacheAutoConfiguration.class))
		.withPropertyValues("lock.backend=local", "spring.datasource.generate-unique-name=true");

	private final Path directory;

	ExamplesTests(@TempDir Path directory) {
		this.directory = directory;
	}

	/** The page about testing is tested in the module with the test support. */
	static Stream<JavaExample> javaExamples() {
		return Page.all()
			.stream()
			.filter((page) -> !page.equals(Page.docs("testing.md")))
			.flatMap((page) -> page.blocks("java").stream().map((java) -> new JavaExample(page, java)));
	}

	static Stream<String> yamlExamples() {
		return Page.all().stream().flatMap((page) -> page.blocks("yaml").stream());
	}

	@ParameterizedTest
	@MethodSource("javaExamples")
	void javaCompilesAndItsBeansPassTheCheckOfLockedMethods(JavaExample example) throws Exception {
		Class<?> type = example.compile(this.directory);
		boolean ofTransactions = example.source().contains("TransactionLocks")
				|| example.source().contains("LockScope");
		ApplicationContextRunner runner = with(type);
		for (JavaExample used : example.used()) {
			runner = runner.withBean(type.getClassLoader().loadClass(used.name()));
		}
		runner
			.withPropertyValues("lock.backend=" + (ofTransactions ? "jdbc" : "local"),
					"lock.leader.roles=" + (example.source().contains("Leader") ? "reports" : ""))
			.run((context) -> assertThat(context).hasSingleBean(type));
	}

	@Test
	void aLateHolderIsRejectedByTheFencingToken() throws Exception {
		with(compiled("JdbcFencingGuard")).run((context) -> {
			JdbcClient db = context.getBean(JdbcClient.class);
			db.sql("CREATE TABLE lock_fence (name VARCHAR(255) PRIMARY KEY, token BIGINT NOT NULL)").update();
			db.sql("CREATE TABLE stock (product VARCHAR(9), pieces INT)").update();
			db.sql("INSERT INTO stock (product, pieces) VALUES ('pen', 10)").update();
			Object stock = context.getBean("example");
			ReflectionTestUtils.invokeMethod(stock, "take", "pen", 3);
			assertThat(pieces(db)).isEqualTo(7);

			db.sql("UPDATE lock_fence SET token = ?").param(Long.MAX_VALUE).update();
			assertThatExceptionOfType(StaleTokenException.class)
				.isThrownBy(() -> ReflectionTestUtils.invokeMethod(stock, "take", "pen", 3));
			assertThat(pieces(db)).isEqualTo(7);
		});
	}

	@Test
	void aWriteToARowThatChangedMeanwhileIsRepeated() throws Exception {
		with(compiled("OptimisticLocking")).withUserConfiguration(Retries.class).run((context) -> {
			JdbcClient db = context.getBean(JdbcClient.class);
			db.sql("CREATE TABLE account (id VARCHAR(9) PRIMARY KEY, balance BIGINT, version BIGINT)").update();
			db.sql("INSERT INTO account (id, balance, version) VALUES ('alice', 10, 1)").update();
			List<Long> read = new ArrayList<>();
			LongUnaryOperator spend = (balance) -> {
				read.add(balance);
				if (read.size() == 1) {
					CompletableFuture
						.runAsync(() -> db.sql("UPDATE account SET balance = 7, version = version + 1").update())
						.join();
				}
				return balance - 1;
			};
			ReflectionTestUtils.invokeMethod(context.getBean("example"), "change", "alice", spend);
			assertThat(read).containsExactly(10L, 7L);
			assertThat(db.sql("SELECT balance FROM account").query(Long.class).single()).isEqualTo(6);
		});
	}

	@ParameterizedTest
	@CsvSource({ "payUnderLock, order:42", "takeWithFence, stock:42" })
	void eachExampleOfAMigrationRunsUnderItsLock(String method, String lock) throws Exception {
		List<String> events = new ArrayList<>();
		with(compiled("void " + method + "(")).withBean(LockListener.class, () -> new LockListener() {
			@Override
			public void onAcquired(LockRequest request, LockHandle handle, Duration waited) {
				events.add("acquired " + handle.name());
			}

			@Override
			public void onReleased(LockRequest request, LockHandle handle, Duration held) {
				events.add("released " + handle.name());
			}
		}).run((context) -> {
			ReflectionTestUtils.invokeMethod(context.getBean("example"), method, "42");
			assertThat(events).containsExactly("acquired " + lock, "released " + lock);
		});
	}

	@Test
	void incompleteEventsAreRepublishedByOneInstance() throws Exception {
		with(compiled("IncompleteEventPublications")).run((context) -> {
			Object republication = context.getBean("example");
			try (LockHandle other = context.getBean(LockOperations.class).acquire("republication")) {
				ReflectionTestUtils.invokeMethod(republication, "republish");
				other.ensureHeld();
			}
			ReflectionTestUtils.invokeMethod(republication, "republish");
			Mockito.verify(context.getBean(IncompleteEventPublications.class))
				.resubmitIncompletePublicationsOlderThan(Duration.ofMinutes(10));
		});
	}

	@Test
	void oneInstanceContinuesTheBatchJobOfAKilledOne() throws Exception {
		Class<?> type = compiled("JobOperator");
		this.runner.withClassLoader(type.getClassLoader())
			.withUserConfiguration(Batch.class)
			.withBean("example", type)
			.run((context) -> {
				new ResourceDatabasePopulator(new ClassPathResource("org/springframework/batch/core/schema-h2.sql"))
					.execute(context.getBean(DataSource.class));
				JobRepository repository = context.getBean(JobRepository.class);
				JobParameters parameters = new JobParametersBuilder().addLocalDate("day", LocalDate.now())
					.toJobParameters();
				JobExecution killed = repository.createJobExecution(repository.createJobInstance("import", parameters),
						parameters, new ExecutionContext());
				killed.setStatus(BatchStatus.STARTED);
				killed.setStartTime(LocalDateTime.now());
				repository.update(killed);
				AtomicInteger runs = context.getBean(AtomicInteger.class);

				try (LockHandle other = context.getBean(LockOperations.class).acquire("nightly-import")) {
					ReflectionTestUtils.invokeMethod(context.getBean("example"), "run");
					assertThat(runs).hasValue(0);
					other.ensureHeld();
				}
				ReflectionTestUtils.invokeMethod(context.getBean("example"), "run");
				assertThat(runs).hasValue(1);
				assertThat(repository.findRunningJobExecutions("import")).isEmpty();
			});
	}

	@Test
	void springIntegrationElectsALeaderByTheLocks() throws Exception {
		with(compiled("LockRegistryLeaderInitiator")).run((context) -> {
			LockRegistryLeaderInitiator initiator = context.getBean(LockRegistryLeaderInitiator.class);
			Awaitility.await().until(() -> initiator.getContext().isLeader());
			assertThat(context.getBean(LockOperations.class).inspect("import").isHeld()).isTrue();
		});
	}

	@ParameterizedTest
	@MethodSource("yamlExamples")
	void yamlBindsCompletely(String yaml) throws Exception {
		List<PropertySource<?>> sources = new YamlPropertySourceLoader().load("example",
				new ByteArrayResource(yaml.getBytes(StandardCharsets.UTF_8)));
		assertThat(yaml.lines().filter((line) -> line.matches("\\w.*"))).isNotEmpty().isSubsetOf("lock:", "spring:");
		Map<String, Class<?>> groups = Map.of("lock.cache", CacheProperties.class, "lock.leader",
				LeaderProperties.class, "lock.jdbc", JdbcLockProperties.class, "lock.zookeeper",
				ZookeeperLockProperties.class);
		bindStrictly(sources, "lock", LockProperties.class,
				(name) -> groups.keySet()
					.stream()
					.noneMatch((group) -> ConfigurationPropertyName.of(group).isAncestorOf(name)));
		groups.forEach((prefix, properties) -> bindStrictly(sources, prefix, properties, (name) -> true));
		bindStrictly(sources, "spring.data.redis", DataRedisProperties.class, (name) -> true);
	}

	private static void bindStrictly(List<PropertySource<?>> sources, String prefix, Class<?> properties,
			Predicate<ConfigurationPropertyName> filter) {
		List<ConfigurationPropertySource> filtered = StreamSupport
			.stream(ConfigurationPropertySources.from(sources).spliterator(), false)
			.map((source) -> source.filter(filter))
			.toList();
		new Binder(filtered).bind(prefix, Bindable.of(properties),
				new NoUnboundElementsBindHandler(BindHandler.DEFAULT));
	}

	@Test
	void dependencyIsTheStarterInTheVersionOfThisBuild() throws Exception {
		String pom = Files.readString(Path.of("pom.xml"));
		String version = pom.substring(pom.indexOf("<version>"), pom.indexOf("</version>"));
		assertThat(Page.readme().blocks("xml")).singleElement()
			.asString()
			.contains("<artifactId>lock-spring-boot-starter</artifactId>", version);
	}

	/** Compile the first example that contains a text. */
	private Class<?> compiled(String text) throws Exception {
		return javaExamples().filter((java) -> java.source().contains(text))
			.findFirst()
			.orElseThrow()
			.compile(this.directory);
	}

	/**
	 * Run an example, with mocks of its own interfaces and of those of other projects.
	 */
	private ApplicationContextRunner with(Class<?> type) {
		ApplicationContextRunner runner = this.runner.withClassLoader(type.getClassLoader()).withBean("example", type);
		Stream<Class<?>> parameters = Arrays.stream(type.getDeclaredConstructors()[0].getParameterTypes())
			.filter((parameter) -> parameter.getName().matches("org\\.springframework\\.(batch|modulith)\\..*"));
		for (Class<?> collaborator : Stream.concat(Arrays.stream(type.getDeclaredClasses()), parameters)
			.filter(Class::isInterface)
			.toList()) {
			runner = withMock(runner, collaborator);
		}
		return runner;
	}

	private static <T> ApplicationContextRunner withMock(ApplicationContextRunner runner, Class<T> type) {
		return runner.withBean(type, () -> Mockito.mock(type));
	}

	private static int pieces(JdbcClient db) {
		return db.sql("SELECT pieces FROM stock").query(Integer.class).single();
	}

	@EnableResilientMethods
	static class Retries {

	}

	@Configuration(proxyBeanMethods = false)
	@EnableBatchProcessing
	@EnableJdbcJobRepository
	static class Batch {

		@Bean
		AtomicInteger runs() {
			return new AtomicInteger();
		}

		@Bean
		Job job(JobRepository repository, PlatformTransactionManager transactionManager, AtomicInteger runs) {
			return new JobBuilder("import", repository)
				.start(new StepBuilder("step", repository).tasklet((contribution, chunk) -> {
					runs.incrementAndGet();
					return RepeatStatus.FINISHED;
				}, transactionManager).build())
				.build();
		}

	}

	/**
	 * An example in Java: a whole source file with one class, so that it can be copied
	 * without changes. It may use the classes of other examples of its page.
	 */
	record JavaExample(Page page, String source) {

		private static final Pattern CLASS = Pattern.compile("(?m)^(?:public )?class (\\w+)");

		private static final List<String> OPTIONS = List.of("-parameters", "-proc:none", "-Xlint:all", "-Werror");

		private static final JavaCompiler COMPILER = ToolProvider.getSystemJavaCompiler();

		// shared, because it reads the tables of contents of all jars
		private static final StandardJavaFileManager FILES = COMPILER.getStandardFileManager(null, null, null);

		/** Compile the example. */
		Class<?> compile(Path directory) throws IOException, ClassNotFoundException {
			List<Path> files = new ArrayList<>(List.of(write(directory)));
			for (JavaExample other : used()) {
				files.add(other.write(directory));
			}
			StringWriter complaints = new StringWriter();
			FILES.setLocationFromPaths(StandardLocation.CLASS_OUTPUT, List.of(directory));
			boolean compiled = COMPILER
				.getTask(complaints, FILES, null, OPTIONS, null, FILES.getJavaFileObjectsFromPaths(files))
				.call();
			assertThat(compiled).as(() -> complaints.toString()).isTrue();
			return new URLClassLoader(new URL[] { directory.toUri().toURL() }, getClass().getClassLoader())
				.loadClass(name());
		}

		/** The other examples of the page whose classes this one uses. */
		List<JavaExample> used() {
			return this.page.blocks("java")
				.stream()
				.map((java) -> new JavaExample(this.page, java))
				.filter((other) -> Pattern.compile("\\b" + other.name() + "\\b").matcher(this.source).find())
				.filter((other) -> !this.source.contains("class " + other.name() + " "))
				.toList();
		}

		private Path write(Path directory) throws IOException {
			return Files.writeString(directory.resolve(name() + ".java"), this.source);
		}

		String name() {
			Matcher matcher = CLASS.matcher(this.source);
			assertThat(matcher.find()).as("a class in:%n%s", this.source).isTrue();
			return matcher.group(1);
		}

		@Override
		public String toString() {
			return name() + " in " + this.page;
		}

	}

}
