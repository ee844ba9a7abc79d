package io.github.lockboot.lines;

import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.TryCatchBlock;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import org.junit.jupiter.api.Test;

import io.github.lockboot.LockOperations;
import io.github.lockboot.annotation.DistributedLock;
import io.github.lockboot.autoconfigure.DistributedLockAutoConfiguration;
import io.github.lockboot.cache.CacheOperations;
import io.github.lockboot.jdbc.JdbcLockTemplate;
import io.github.lockboot.redis.RedisLockTemplate;
import io.github.lockboot.test.LocalLocks;
import io.github.lockboot.zookeeper.ZookeeperLockTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * All classes, methods and fields to which the jars refer exist in this line, except
 * those of classes that are not loaded there. Annotations do not count, since the JVM
 * ignores those that are absent.
 */
class LinkageTests {

	/** Loaded in Spring Boot 3 only; Jackson 2 also where there is no Jackson 3. */
	private static final Set<String> BOOT_3 = Set.of("Boot3LockHealthConfiguration", "Jackson2Codec");

	/**
	 * Loaded in Spring Boot 4 only: classes with a condition, and what they use. The last
	 * one belongs to Spring Integration 7.
	 */
	private static final Set<String> BOOT_4 = Set.of("LockHealthContributorAutoConfiguration$Boot4",
			"LockHealthIndicator", "LettuceConnectionFactorySelector$MasterReplicaDetails", "Jackson3Codec",
			"LeasedLock");

	/** Loaded with JPA only, which these applications do not have. */
	private static final Set<String> WITH_JPA = Set.of("LoadedEntities", "PersistenceContexts");

	@Test
	void onlyGuardedClassesReferToWhatIsAbsent() {
		Set<String> guarded = new TreeSet<>(System.getProperty("lockboot.line").startsWith("3.") ? BOOT_4 : BOOT_3);
		guarded.addAll(WITH_JPA);
		Set<String> found = new TreeSet<>();
		for (Class<?> inJar : new Class<?>[] { LockOperations.class, RedisLockTemplate.class, DistributedLock.class,
				DistributedLockAutoConfiguration.class, JdbcLockTemplate.class, ZookeeperLockTemplate.class,
				CacheOperations.class, LocalLocks.class }) {
			new ClassFileImporter().importUrl(inJar.getProtectionDomain().getCodeSource().getLocation())
				.forEach((type) -> {
					Set<String> absent = missing(type);
					String name = type.getName().substring(type.getPackageName().length() + 1);
					if (!absent.isEmpty()) {
						found.add(guarded.stream()
							.filter((each) -> name.equals(each) || name.startsWith(each + "$"))
							.findFirst()
							.orElse(name + " refers to " + absent));
					}
				});
		}
		assertThat(found).containsExactlyInAnyOrderElementsOf(guarded);
	}

	/** Return what a class refers to in vain. */
	private static Set<String> missing(JavaClass type) {
		Stream<JavaClass> types = Stream
			.of(type.getRawSuperclass().stream(), type.getRawInterfaces().stream(),
					type.getFields().stream().map(JavaField::getRawType),
					type.getCodeUnits().stream().flatMap(LinkageTests::types),
					type.getInstanceofChecks().stream().map((check) -> check.getRawType()),
					type.getReferencedClassObjects().stream().map((referenced) -> referenced.getRawType()),
					type.getAccessesFromSelf().stream().map(JavaAccess::getTargetOwner))
			.flatMap((each) -> each)
			.map(JavaClass::getBaseComponentType)
			.filter((each) -> !exists(each));
		Stream<String> members = type.getAccessesFromSelf()
			.stream()
			.filter((access) -> !access.getTargetOwner().isArray() && exists(access.getTargetOwner())
					&& !access.getTargetOwner().getName().startsWith("java.")
					&& access.getTarget().resolveMember().isEmpty())
			.map((access) -> access.getTarget().getFullName());
		return Stream.concat(types.map(JavaClass::getName), members).collect(Collectors.toCollection(TreeSet::new));
	}

	private static Stream<JavaClass> types(JavaCodeUnit method) {
		return Stream.of(method.getRawParameterTypes(), List.of(method.getRawReturnType()),
				method.getTryCatchBlocks()
					.stream()
					.map(TryCatchBlock::getCaughtThrowables)
					.flatMap(Set::stream)
					.toList())
			.flatMap(Collection::stream)
			.filter(Objects::nonNull);
	}

	private static boolean exists(JavaClass type) {
		return type.isPrimitive()
				|| LinkageTests.class.getClassLoader().getResource(type.getName().replace('.', '/') + ".class") != null;
	}

}
