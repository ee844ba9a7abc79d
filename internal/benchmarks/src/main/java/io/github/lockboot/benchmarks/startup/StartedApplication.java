package io.github.lockboot.benchmarks.startup;

import java.lang.management.ManagementFactory;

import com.sun.management.OperatingSystemMXBean;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * An application that consists of its class path and one annotated method. The
 * application starts, prints measurements, and ends.
 */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
class StartedApplication {

	static final String STARTED = "started ";

	private static final int COLLECTIONS = 4;

	/**
	 * Start, ask Redis once, and acquire a lock.
	 * @param arguments properties
	 */
	public static void main(String[] arguments) {
		try (ConfigurableApplicationContext application = SpringApplication.run(StartedApplication.class, arguments)) {
			String started = "wall=" + wallMillis() + " cpu=" + cpuMillis() + " classes=" + classes();
			application.getBean(RedisConnectionFactory.class).getConnection().ping();
			String asked = " cpuAsked=" + cpuMillis();
			FirstLock.acquire(application);
			String locked = " wallLocked=" + wallMillis() + " cpuLocked=" + cpuMillis() + " classesLocked=" + classes();
			System.out.println(STARTED + started + asked + locked + " heapLocked=" + heap());
		}
		System.exit(0); // even if a library has left threads
	}

	@Bean
	FirstLock.Section section() {
		return new FirstLock.Section();
	}

	private static long wallMillis() {
		return System.currentTimeMillis() - ManagementFactory.getRuntimeMXBean().getStartTime();
	}

	private static double cpuMillis() {
		return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime() / 1e6;
	}

	private static long classes() {
		return ManagementFactory.getClassLoadingMXBean().getTotalLoadedClassCount();
	}

	private static long heap() {
		for (int i = 0; i < COLLECTIONS; i++) {
			System.gc();
		}
		return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
	}

}
