package io.github.lockboot.benchmarks.peer;

import com.baomidou.lock.annotation.Lock4j;
import com.baomidou.lock.spring.boot.autoconfigure.LockAutoConfiguration;
import com.baomidou.lock.spring.boot.autoconfigure.RedisTemplateLockAutoConfiguration;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

import io.github.lockboot.annotation.DistributedLock;
import io.github.lockboot.autoconfigure.DistributedLockAutoConfiguration;
import io.github.lockboot.autoconfigure.LockMonitoringAutoConfiguration;
import io.github.lockboot.autoconfigure.RedisLockAutoConfiguration;

/**
 * An annotated method of an application, with all that a user pays for a call: proxy, key
 * expression, lock and Micrometer's meters. It only runs sections.
 */
final class AnnotatedPeer implements Peer {

	private final ConfigurableApplicationContext application;

	private final Section section;

	private AnnotatedPeer(RedisAddress address, Class<?> configuration) {
		this.application = new SpringApplicationBuilder(configuration).web(WebApplicationType.NONE)
			.logStartupInfo(false)
			.run("--spring.main.banner-mode=off", "--spring.data.redis.host=" + address.host(),
					"--spring.data.redis.port=" + address.port());
		this.section = this.application.getBean(Section.class);
	}

	static AnnotatedPeer ours(RedisAddress address) {
		return new AnnotatedPeer(address, Ours.class);
	}

	static AnnotatedPeer lock4j(RedisAddress address) {
		return new AnnotatedPeer(address, Lock4js.class);
	}

	@Override
	public Runnable acquire(String lock) {
		throw new UnsupportedOperationException("An annotated method only runs a section");
	}

	@Override
	public void run(String lock, Runnable section) {
		this.section.run(lock, section);
	}

	@Override
	public void close() {
		this.application.close();
	}

	/** An annotated method. */
	interface Section {

		void run(String lock, Runnable section);

	}

	/** An application with this library. */
	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ AopAutoConfiguration.class, DataRedisAutoConfiguration.class,
			RedisLockAutoConfiguration.class, DistributedLockAutoConfiguration.class,
			LockMonitoringAutoConfiguration.class })
	@Import(OurSection.class)
	static class Ours {

		@Bean
		MeterRegistry meters() {
			return new SimpleMeterRegistry();
		}

	}

	/** An application with Lock4j. */
	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ AopAutoConfiguration.class, DataRedisAutoConfiguration.class,
			RedisTemplateLockAutoConfiguration.class, LockAutoConfiguration.class })
	@Import(Lock4jSection.class)
	static class Lock4js {

	}

	/** A service of an application with this library. */
	static class OurSection implements Section {

		@Override
		@DistributedLock(name = "annotated", key = "#lock")
		public void run(String lock, Runnable section) {
			section.run();
		}

	}

	/** A service of an application with Lock4j. */
	static class Lock4jSection implements Section {

		@Override
		@Lock4j(keys = "#lock")
		public void run(String lock, Runnable section) {
			section.run();
		}

	}

}
