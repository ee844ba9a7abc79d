package io.github.lockboot.lines;

import java.net.URL;
import java.util.Set;
import java.util.TreeSet;

import org.junit.jupiter.api.Test;
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;

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
 * those of classes that are not loaded there.
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

	private final ClassFiles classFiles = new ClassFiles(getClass().getClassLoader());

	@Test
	void onlyGuardedClassesReferToWhatIsAbsent() throws Exception {
		Set<String> guarded = new TreeSet<>(System.getProperty("lockboot.line").startsWith("3.") ? BOOT_4 : BOOT_3);
		guarded.addAll(WITH_JPA);
		Set<String> found = new TreeSet<>();
		for (Class<?> inJar : new Class<?>[] { LockOperations.class, RedisLockTemplate.class, DistributedLock.class,
				DistributedLockAutoConfiguration.class, JdbcLockTemplate.class, ZookeeperLockTemplate.class,
				CacheOperations.class, LocalLocks.class }) {
			for (Resource classFile : classesBeside(inJar)) {
				Set<String> absent = this.classFiles.missing(classFile.getContentAsByteArray());
				if (!absent.isEmpty()) {
					String name = String.valueOf(classFile.getFilename()).replace(".class", "");
					found.add(guarded.stream()
						.filter((each) -> name.equals(each) || name.startsWith(each + "$"))
						.findFirst()
						.orElse(name + " refers to " + absent));
				}
			}
		}
		assertThat(found).containsExactlyInAnyOrderElementsOf(guarded);
	}

	private static Resource[] classesBeside(Class<?> type) throws Exception {
		URL location = type.getProtectionDomain().getCodeSource().getLocation();
		String root = location.getPath().endsWith(".jar") ? "jar:" + location + "!/" : location.toString();
		return new PathMatchingResourcePatternResolver().getResources(root + "io/github/lockboot/**/*.class");
	}

}
