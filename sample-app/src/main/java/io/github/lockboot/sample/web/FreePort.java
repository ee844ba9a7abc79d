package io.github.lockboot.sample.web;

import java.io.IOException;
import java.net.ServerSocket;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.Environment;
import org.springframework.core.env.MapPropertySource;

/**
 * Lets an instance listen on the first free port from 8080 on, unless {@code server.port}
 * is set. An instance that another one has started takes the first free port above that
 * of the other one. The server binds its port some seconds later. Until then a lock on a
 * file claims the port: two instances that start at once get two ports.
 */
public class FreePort implements ApplicationContextInitializer<ConfigurableApplicationContext> {

	private static final int FIRST = 8080;

	/** The first port to try, for an instance that another one has started. */
	private static final String FIRST_PROPERTY = "sample.first-port";

	private static final int COUNT = 100;

	@Override
	public void initialize(ConfigurableApplicationContext context) {
		Environment environment = context.getEnvironment();
		// started by another instance: its variable SERVER_PORT is inherited
		if (environment.containsProperty(FIRST_PROPERTY) || !environment.containsProperty("server.port")) {
			choosePort(context);
		}
	}

	private void choosePort(ConfigurableApplicationContext context) {
		int first = context.getEnvironment().getProperty(FIRST_PROPERTY, Integer.class, FIRST);
		for (int port = first; port < first + COUNT; port++) {
			FileLock claim = isFree(port) ? claim(port) : null;
			if (claim != null) {
				// a bean, so that it is kept as long as the application
				context.getBeanFactory().registerSingleton("portClaim", claim);
				context.getEnvironment()
					.getPropertySources()
					.addFirst(new MapPropertySource("freePort", Map.of("server.port", port)));
				return;
			}
		}
		throw new IllegalStateException("None of " + COUNT + " ports from " + first + " on is free; set server.port");
	}

	private boolean isFree(int port) {
		try (ServerSocket socket = new ServerSocket(port)) {
			return socket.isBound();
		}
		catch (IOException ex) {
			return false;
		}
	}

	private @Nullable FileLock claim(int port) {
		Path file = Path.of(System.getProperty("java.io.tmpdir"), "lockboot-sample-" + port);
		try {
			return FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE).tryLock();
		}
		catch (IOException ex) {
			return null;
		}
	}

}
