package io.github.lockboot.benchmarks.peer;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Several instances in one JVM, each with its own connection, which the threads use in
 * turn. Each of many threads is thus another instance, without as many JVMs.
 */
public final class ManyInstancesPeer implements Peer {

	private final List<Peer> instances;

	private final AtomicInteger threads = new AtomicInteger();

	private final ThreadLocal<Peer> instance;

	/** Connect. */
	public ManyInstancesPeer(int count, Supplier<Peer> opener) {
		this.instances = Stream.generate(opener).limit(count).toList();
		this.instance = ThreadLocal
			.withInitial(() -> this.instances.get(this.threads.getAndIncrement() % this.instances.size()));
	}

	@Override
	public Runnable acquire(String lock) {
		return this.instance.get().acquire(lock);
	}

	@Override
	public void run(String lock, Runnable section) {
		this.instance.get().run(lock, section);
	}

	@Override
	public void close() {
		this.instances.forEach(Peer::close);
	}

}
