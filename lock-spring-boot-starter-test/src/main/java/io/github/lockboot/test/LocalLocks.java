package io.github.lockboot.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.test.context.TestPropertySource;

/**
 * Keeps the locks of a test class in the memory of the JVM instead of Redis. The
 * annotation sets {@code lock.backend} to {@code local}, and adds the auto-configuration
 * of the locks to tests that do not load it, such as test slices. Annotated methods are
 * locked as usual.
 * <p>
 * The annotation does not affect the cache: methods with {@code @RedisCache} use Redis,
 * unless the test sets {@code lock.cache.enabled} to {@code false}.
 *
 * @since 1.0.0
 * @see OtherNode
 * @see LockJournal
 */
@Documented
@Inherited
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ImportAutoConfiguration
@TestPropertySource(properties = "lock.backend=local")
public @interface LocalLocks {

}
