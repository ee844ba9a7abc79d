package io.github.lockboot.sample.web;

import java.io.IOException;
import java.net.ServerSocket;
import java.util.Map;
import java.util.stream.IntStream;

import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;

/**
 * Lets an instance listen on the first free port from 8080 on, unless {@code server.port}
 * is set.
 */
public class FreePort implements ApplicationContextInitializer<ConfigurableApplicationContext> {

	private static final int FIRST = 8080;

	private static final int LAST = 8179;

	@Override
	public void initialize(ConfigurableApplicationContext context) {
		ConfigurableEnvironment environment = context.getEnvironment();
		if (!environment.containsProperty("server.port")) {
			int port = IntStream.rangeClosed(FIRST, LAST)
				.filter(FreePort::isFree)
				.findFirst()
				.orElseThrow(() -> new IllegalStateException(
						"No port from " + FIRST + " to " + LAST + " is free; set server.port"));
			environment.getPropertySources().addFirst(new MapPropertySource("freePort", Map.of("server.port", port)));
		}
	}

	private static boolean isFree(int port) {
		try (ServerSocket socket = new ServerSocket(port)) {
			return socket.isBound();
		}
		catch (IOException ex) {
			return false;
		}
	}

}
