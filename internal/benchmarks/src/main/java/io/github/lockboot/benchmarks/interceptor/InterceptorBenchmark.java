package io.github.lockboot.benchmarks.interceptor;

import java.util.concurrent.TimeUnit;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.springframework.context.ConfigurableApplicationContext;

import io.github.lockboot.LockOperations;

/**
 * The same section under the same lock, once with the template and once with the
 * annotation.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class InterceptorBenchmark {

	private final ConfigurableApplicationContext context = Application.start();

	private final LockOperations locks = this.context.getBean(LockOperations.class);

	private final Orders orders = this.context.getBean(Orders.class);

	/** A field, so that the compiler does not treat it as a constant. */
	private String orderId = "4711";

	/**
	 * End the application.
	 */
	@TearDown
	public void close() {
		this.context.close();
	}

	/**
	 * Run the section as a user of the template would.
	 * @return value of the section
	 */
	@Benchmark
	public String template() {
		String id = this.orderId;
		return this.locks.execute("order:" + id, () -> id);
	}

	/**
	 * Call the method as a user of the annotation would.
	 * @return value of the method
	 */
	@Benchmark
	public String annotation() {
		return this.orders.pay(this.orderId);
	}

}
