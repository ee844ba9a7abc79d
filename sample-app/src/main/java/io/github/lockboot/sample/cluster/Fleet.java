package io.github.lockboot.sample.cluster;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.util.UriComponentsBuilder;
import tools.jackson.databind.json.JsonMapper;

import io.github.lockboot.sample.crowd.Tally;

/**
 * All instances together. Distributes a run among the instances over HTTP and collects
 * the answers.
 */
@Component
public class Fleet {

	private static final long LOOK_MILLIS = 250;

	private final HttpClient http = HttpClient.newBuilder()
		.version(HttpClient.Version.HTTP_1_1)
		.connectTimeout(Duration.ofSeconds(2))
		.build();

	private final InstanceRegistry registry;

	private final JsonMapper json;

	Fleet(InstanceRegistry registry, JsonMapper json) {
		this.registry = registry;
		this.json = json;
	}

	/** Return the URL of this instance. */
	public String self() {
		return this.registry.self();
	}

	/** Return the URLs of the other instances. */
	public List<String> others() {
		return this.registry.others();
	}

	/**
	 * Ask another instance a question.
	 * @param path the path of a POST that answers true or false
	 * @return the answer; false if there is none
	 */
	public boolean ask(String instance, String path) {
		HttpRequest question = HttpRequest.newBuilder(URI.create(instance + path))
			.timeout(Duration.ofSeconds(1))
			.POST(BodyPublishers.noBody())
			.build();
		try {
			return this.http.send(question, BodyHandlers.ofString()).body().strip().equals("true");
		}
		catch (IOException ex) {
			return false;
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return false;
		}
	}

	/**
	 * Let every instance run its share of the callers at the same time. An instance that
	 * dies during the run is reported in its share, at the latest when its registration
	 * expires.
	 * @param path the path of each instance for its share: a POST with {@code run},
	 * {@code guard} and {@code callers} that answers a {@link Tally}
	 * @param guard how the run is protected
	 * @param callers the number of all callers
	 */
	public List<Share> send(String path, String run, Object guard, int callers) {
		List<String> instances = this.registry.instances();
		if (instances.isEmpty()) {
			throw new ResponseStatusException(HttpStatus.SERVICE_UNAVAILABLE, "No instance is registered in Redis");
		}
		List<Supplier<Share>> pending = new ArrayList<>();
		for (int i = 0; i < instances.size(); i++) {
			String instance = instances.get(i);
			int share = callers / instances.size() + ((i < callers % instances.size()) ? 1 : 0);
			CompletableFuture<Tally> answer = post(instance, path, run, guard, share);
			pending.add(() -> new Share(instance, share, await(instance, share, answer)));
		}
		return pending.stream().map(Supplier::get).toList();
	}

	private CompletableFuture<Tally> post(String instance, String path, String run, Object guard, int callers) {
		HttpRequest request = HttpRequest
			.newBuilder(UriComponentsBuilder.fromUriString(instance)
				.path(path)
				.queryParam("run", run)
				.queryParam("guard", guard)
				.queryParam("callers", callers)
				.build()
				.toUri())
			.POST(BodyPublishers.noBody())
			.build();
		return this.http.sendAsync(request, BodyHandlers.ofString()).thenApply((response) -> read(response, callers));
	}

	private Tally read(HttpResponse<String> response, int callers) {
		return (response.statusCode() == HttpStatus.OK.value()) ? this.json.readValue(response.body(), Tally.class)
				: Tally.lost(callers, "Status " + response.statusCode() + ": " + response.body());
	}

	private Tally await(String instance, int callers, CompletableFuture<Tally> answer) {
		while (true) {
			try {
				return answer.get(LOOK_MILLIS, TimeUnit.MILLISECONDS);
			}
			catch (TimeoutException ex) {
				if (!this.registry.isAlive(instance)) {
					answer.cancel(true);
					return Tally.lost(callers, "The instance no longer gives a sign of life");
				}
			}
			catch (ExecutionException ex) {
				return Tally.lost(callers, "The instance can't be reached: " + ex.getCause());
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
				return Tally.lost(callers, "Interrupted");
			}
		}
	}

}
