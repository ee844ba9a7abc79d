package io.github.lockboot.sample.cluster;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.ApplicationArguments;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.boot.system.ApplicationHome;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

import io.github.lockboot.sample.SampleApplication;

/**
 * Starts further instances of the sample in JVMs of their own. These instances end with
 * this one. A killed one starts again.
 */
@Component
public class Launcher {

	private static final int MOST = 6;

	private static final int KILLED = 128 + 9;

	private final Set<Process> processes = ConcurrentHashMap.newKeySet();

	private final InstanceRegistry registry;

	private final ApplicationArguments arguments;

	private final int instances;

	private final long parent;

	private volatile boolean closed;

	Launcher(InstanceRegistry registry, ApplicationArguments arguments, @Value("${sample.instances}") int instances,
			@Value("${sample.parent:0}") long parent) {
		this.registry = registry;
		this.arguments = arguments;
		this.instances = instances;
		this.parent = parent;
	}

	/**
	 * Return whether another instance has started this one.
	 * @return whether this instance may be killed and frozen
	 */
	public boolean isChild() {
		return this.parent > 0;
	}

	/**
	 * Start one more instance.
	 * @return false if there are as many as this machine should run
	 */
	public synchronized boolean launch() {
		if (this.closed || isChild() || this.processes.size() + 1 >= MOST) {
			return false;
		}
		try {
			Process process = new ProcessBuilder(command()).inheritIO().start();
			this.processes.add(process);
			process.onExit().thenAccept(this::ended);
			return true;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private List<String> command() {
		List<String> command = new ArrayList<>(
				List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:TieredStopAtLevel=1",
						"-XX:+UseSerialGC", "-Xmx256m"));
		File source = new ApplicationHome(SampleApplication.class).getSource();
		command.addAll((source != null && source.isFile()) ? List.of("-jar", source.getPath())
				: List.of("-cp", System.getProperty("java.class.path"), SampleApplication.class.getName()));
		Stream.of(this.arguments.getSourceArgs())
			.filter((argument) -> !argument.startsWith("--server.port="))
			.forEach(command::add);
		command.add("--sample.first-port=" + (this.registry.port() + 1));
		command.add("--sample.parent=" + ProcessHandle.current().pid());
		return command;
	}

	private void ended(Process process) {
		this.processes.remove(process);
		if (process.exitValue() == KILLED) {
			CompletableFuture.delayedExecutor(3, TimeUnit.SECONDS).execute(this::launch);
		}
	}

	@EventListener
	void begin(ApplicationReadyEvent event) {
		if (isChild()) {
			endWithParent(event.getApplicationContext());
		}
		else if (this.registry.others().isEmpty()) {
			for (int i = 1; i < this.instances; i++) {
				launch();
			}
		}
	}

	private void endWithParent(ConfigurableApplicationContext context) {
		ProcessHandle.of(this.parent)
			.map(ProcessHandle::onExit)
			.orElse(CompletableFuture.completedFuture(ProcessHandle.current()))
			.thenRun(() -> System.exit(SpringApplication.exit(context)));
	}

	@EventListener(ContextClosedEvent.class)
	synchronized void close() {
		this.closed = true;
		this.processes.forEach(Process::destroy);
	}

}
