package io.github.lockboot.cache.autoconfigure;

import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.core.io.support.SpringFactoriesLoader;
import org.springframework.core.io.support.SpringFactoriesLoader.ArgumentResolver;
import org.springframework.core.io.support.SpringFactoriesLoader.FailureHandler;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.mock.env.MockEnvironment;

import io.github.lockboot.LockOperations;
import io.github.lockboot.autoconfigure.StartFailures;
import io.github.lockboot.cache.CacheOperations;
import io.github.lockboot.cache.RedisCache;
import io.github.lockboot.cache.codec.ValueCodec;

import static io.github.lockboot.autoconfigure.MissingLibraryTests.startWithout;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Failure messages of an application with caches that does not start, also in JVMs
 * without a library.
 */
@ExtendWith(OutputCaptureExtension.class)
class CacheFailureAnalyzerTests {

	/** The texts of a row are in the report, but for one after '!'. */
	@ParameterizedTest(name = "{0}")
	@CsvSource(delimiter = '|',
			textBlock = """
					a disabled cache, if its template is injected | OneInjectedCache | lock.cache.enabled=false | lock.cache.enabled is false; !Consider defining a bean
					a missing bean of the application is not taken for the template | OneInjectedCodec | | ValueCodec; !its auto-configuration is not part of this application
					a factory of Jedis that the application defines | WithJedis | | The cache needs Lettuce as the Redis client; lock.cache.enabled=false; !set lock.backend=local
					findings of the cache | OneCachedMethod | lock.cache.aspect.order=2147483647 | Set lock.cache.aspect.order below lock.aspect.order; lock.cache.aspect.validation=warn
					a jitter above 1 | OneCachedMethod | lock.cache.jitter=2 | lock.cache; 'jitter'
					an order that is no number | OneCachedMethod | lock.cache.aspect.order=first | lock.cache.aspect.order; first
					a size that is no number | OneCachedMethod | lock.cache.max-size=big | lock.cache.max-size; big
					""")
	void aFailedStartIsReported(String name, String application, @Nullable String arguments, String texts,
			CapturedOutput output) {
		StartFailures.assertReport(getClass(), application,
				"lock.backend=local " + Objects.requireNonNullElse(arguments, ""), texts, output);
	}

	@ParameterizedTest
	@Tag("long")
	@CsvSource(delimiter = '|',
			textBlock = """
					spring-data-redis,spring-boot-data-redis | no CacheOperations bean; lock.cache.enabled=false
					jackson-databind,jackson-core | there is no Jackson on the class path and no ValueCodec bean; Add tools.jackson.core:jackson-databind
					caffeine | lock.cache.caches[order].local-ttl; add com.github.ben-manes.caffeine:caffeine
					""")
	void aMissingLibraryIsReported(String artifacts, String texts) {
		assertThat(startWithout(Caching.class, artifacts.split(","))).contains("APPLICATION FAILED TO START")
			.contains(texts.split("; "));
	}

	@Test
	void everyExceptionOfTheStartHasAnAnalyzer() {
		Set<String> ofCalls = Set.of("CommandNotSentException", "NotBegunException", "NotExecutedException",
				"RedisReplyException", "LockException", "LockInterruptedException", "LockKeyException",
				"LockLostException", "LockNotAcquiredException", "DuplicateServerException",
				"MethodExpressionException", "CacheException", "CacheInterruptedException", "CacheKeyException",
				"CacheUnavailableException", "CacheWaitTimeoutException", "CodecException", "PauseException",
				"StaleTokenException");
		JavaClasses types = new ClassFileImporter().withImportOption(new ImportOption.DoNotIncludeTests())
			.withImportOption((location) -> !location.contains("-tests.jar") && !location.contains("fixtures/target"))
			.withImportOption((file) -> file.contains("Exception") || file.contains("FailureAnalyzer"))
			.importPackagesOf(LockOperations.class);
		Set<String> analyzed = SpringFactoriesLoader.forDefaultResourceLocation()
			.load(FailureAnalyzer.class, ArgumentResolver.of(Environment.class, new MockEnvironment()),
					FailureHandler.handleMessage((message, failure) -> {
					}))
			.stream()
			.map(Object::getClass)
			.filter(types::contain)
			.flatMap((analyzer) -> types.get(analyzer).getDirectDependenciesFromSelf().stream())
			.map((dependency) -> dependency.getTargetClass().getSimpleName())
			.collect(Collectors.toSet());
		assertThat(types.stream()
			.filter((type) -> type.isAssignableTo(RuntimeException.class))
			.map(JavaClass::getSimpleName)
			.filter((name) -> !ofCalls.contains(name))).isNotEmpty().isSubsetOf(analyzed);
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class OneInjectedCache {

		@Bean
		String pages(CacheOperations cache) {
			return cache.toString();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class OneInjectedCodec {

		@Bean
		String pages(ValueCodec codec) {
			return codec.toString();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class WithJedis extends OneCachedMethod {

		@Bean
		JedisConnectionFactory jedis() {
			return new JedisConnectionFactory();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class OneCachedMethod {

		@Bean
		Orders orders() {
			return new Orders();
		}

		static class Orders {

			@RedisCache("order")
			public String find(int id) {
				return "order";
			}

		}

	}

	static class Caching extends OneCachedMethod {

		public static void main(String[] arguments) {
			SpringApplication.run(Caching.class, "--spring.main.web-application-type=none", "--lock.backend=local",
					"--lock.cache.caches.order.local-ttl=5s");
		}

	}

}
