package io.github.lockboot.autoconfigure;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Stream;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.context.annotation.Bean;
import org.springframework.util.ClassUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The application and all its libraries share one namespace of beans: a duplicate name
 * stops the start.
 */
class BeanNamesTests {

	/** The documented names. */
	private static final Set<String> KNOWN_TO_USERS = Set.of("redisLockTemplate", "redlockTemplate", "jdbcLockTemplate",
			"jdbcTransactionLocks", "zookeeperLockTemplate", "lockOperationsRegistry", "lockOperationsProvider",
			"localLockTemplate", "reactiveLockOperations", "locksEndpoint", "locksEndpointWebExtension",
			"leadersEndpoint", "locksHealthContributor", "leadersHealthContributor", "redisLockCacheTemplate",
			"redisLockCacheManager");

	@ParameterizedTest
	@MethodSource("beanMethods")
	void haveOurPrefix(Method beanMethod) {
		Bean bean = beanMethod.getAnnotation(Bean.class);
		assertThat(bean.name()).isEmpty();
		String name = (bean.value().length > 0) ? bean.value()[0] : beanMethod.getName();
		if (!KNOWN_TO_USERS.contains(name)) {
			assertThat(name).startsWith("lockboot");
		}
	}

	static Stream<Method> beanMethods() {
		return ImportCandidates.load(AutoConfiguration.class, null)
			.getCandidates()
			.stream()
			.filter((name) -> name.startsWith("io.github.lockboot."))
			.map((name) -> ClassUtils.resolveClassName(name, null))
			.flatMap(BeanNamesTests::withNested)
			.flatMap((type) -> Arrays.stream(type.getDeclaredMethods()))
			.filter((method) -> method.isAnnotationPresent(Bean.class));
	}

	private static Stream<Class<?>> withNested(Class<?> type) {
		return Stream.concat(Stream.of(type),
				Arrays.stream(type.getDeclaredClasses()).flatMap(BeanNamesTests::withNested));
	}

}
