package io.github.lockboot.benchmarks.startup;

import java.lang.management.ManagementFactory;

import com.sun.management.OperatingSystemMXBean;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

/**
 * An application with nothing but what its class path brings: starts, tells what that
 * took, and ends.
 */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
class StartedApplication {

	static final String STARTED = "started ";

	private static final int COLLECTIONS = 4;

	/**
	 * Start.
	 * @param arguments properties
	 */
	public static void main(String[] arguments) {
		long startMillis = ManagementFactory.getRuntimeMXBean().getStartTime();
		try (ConfigurableApplicationContext application = SpringApplication.run(StartedApplication.class, arguments)) {
			long wallMillis = System.currentTimeMillis() - startMillis;
			OperatingSystemMXBean system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
			double cpuMillis = system.getProcessCpuTime() / 1e6;
			long classes = ManagementFactory.getClassLoadingMXBean().getTotalLoadedClassCount();
			int beans = application.getBeanDefinitionCount();
			System.out.println(STARTED + "wall=" + wallMillis + " cpu=" + cpuMillis + " classes=" + classes + " beans="
					+ beans + " heap=" + heap());
		}
		System.exit(0); // whatever threads a library has left
	}

	private static long heap() {
		for (int i = 0; i < COLLECTIONS; i++) {
			System.gc();
		}
		return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
	}

}
