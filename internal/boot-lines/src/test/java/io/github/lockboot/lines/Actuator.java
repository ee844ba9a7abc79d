package io.github.lockboot.lines;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.stream.Stream;

/**
 * Calls the actuator of an application.
 */
final class Actuator {

	private final HttpClient client = HttpClient.newHttpClient();

	private final int port;

	Actuator(int port) {
		this.port = port;
	}

	HttpResponse<String> get(String path) {
		return send("GET", path, HttpResponse.BodyHandlers.ofString());
	}

	HttpResponse<String> delete(String path) {
		return send("DELETE", path, HttpResponse.BodyHandlers.ofString());
	}

	/** Return an answer whose body is still being written. */
	HttpResponse<Stream<String>> open(String path) {
		return send("GET", path, HttpResponse.BodyHandlers.ofLines());
	}

	private <T> HttpResponse<T> send(String method, String path, HttpResponse.BodyHandler<T> body) {
		HttpRequest request = HttpRequest.newBuilder(URI.create("http://localhost:" + this.port + "/actuator/" + path))
			.method(method, HttpRequest.BodyPublishers.noBody())
			.build();
		try {
			return this.client.send(request, body);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
