package io.github.lockboot.sample;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

import org.awaitility.core.ConditionTimeoutException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.awaitility.Awaitility.await;

/**
 * A Chromium without a window, driven by the Chrome DevTools Protocol.
 */
final class Browser implements AutoCloseable {

	private static final Duration PATIENCE = Duration.ofMinutes(3);

	private final Map<Integer, CompletableFuture<JsonNode>> replies = new ConcurrentHashMap<>();

	private final List<String> errors = new CopyOnWriteArrayList<>();

	private final AtomicInteger commands = new AtomicInteger();

	private final HttpClient http = HttpClient.newHttpClient();

	private final Process process;

	private final WebSocket connection;

	private Browser(Path executable, Path profile) {
		try {
			this.process = new ProcessBuilder(executable.toString(), "--headless", "--no-sandbox", "--disable-gpu",
					"--disable-background-networking", "--disable-dev-shm-usage", "--hide-scrollbars",
					"--user-data-dir=" + profile, "--remote-debugging-port=0", "about:blank")
				.redirectOutput(Redirect.DISCARD)
				.redirectError(Redirect.DISCARD)
				.start();
			Path port = profile.resolve("DevToolsActivePort");
			await().atMost(PATIENCE).until(() -> Files.exists(port) && Files.readAllLines(port).size() == 2);
			this.connection = connect("http://127.0.0.1:" + Files.readAllLines(port).get(0) + "/json");
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		send("Runtime.enable", Map.of());
		send("Page.enable", Map.of());
	}

	/**
	 * Start a browser, if there is one.
	 * @return the browser, or empty if none was found
	 */
	static Optional<Browser> start(Path profile) {
		return Stream.of(System.getenv().getOrDefault("PATH", "").split(":"))
			.flatMap((folder) -> Stream.of("chromium", "chromium-browser", "google-chrome")
				.map((name) -> Path.of(folder, name)))
			.filter(Files::isExecutable)
			.findFirst()
			.map((executable) -> new Browser(executable, profile));
	}

	private WebSocket connect(String targets) {
		JsonNode pages = await().atMost(PATIENCE)
			.ignoreExceptions()
			.until(() -> JsonMapper.shared()
				.readTree(this.http.send(HttpRequest.newBuilder(URI.create(targets)).build(), BodyHandlers.ofString())
					.body()), (found) -> found.valueStream().anyMatch(Browser::isPage));
		String url = pages.valueStream()
			.filter(Browser::isPage)
			.findFirst()
			.orElseThrow()
			.get("webSocketDebuggerUrl")
			.stringValue();
		return this.http.newWebSocketBuilder().buildAsync(URI.create(url), new Listener()).join();
	}

	private static boolean isPage(JsonNode target) {
		return target.get("type").stringValue().equals("page");
	}

	private JsonNode send(String method, Map<String, ?> parameters) {
		int id = this.commands.incrementAndGet();
		CompletableFuture<JsonNode> reply = new CompletableFuture<>();
		this.replies.put(id, reply);
		this.connection
			.sendText(JsonMapper.shared().writeValueAsString(Map.of("id", id, "method", method, "params", parameters)),
					true)
			.join();
		return reply.orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).join();
	}

	void open(String url) {
		send("Page.navigate", Map.of("url", url));
	}

	void resize(int width, int height) {
		send("Emulation.setDeviceMetricsOverride",
				Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", width < 500));
	}

	/** Evaluate an expression of JavaScript in the page. */
	JsonNode evaluate(String expression) {
		return send("Runtime.evaluate", Map.of("expression", expression, "returnByValue", true, "awaitPromise", true))
			.at("/result/result/value");
	}

	void awaitTrue(String expression) {
		try {
			await().atMost(PATIENCE).until(() -> evaluate("!!(" + expression + ")").asBoolean());
		}
		catch (ConditionTimeoutException ex) {
			throw new AssertionError(
					expression + " did not become true; the page shows " + evaluate("document.body.innerText"), ex);
		}
	}

	void press(String key) {
		for (String type : List.of("keyDown", "keyUp")) {
			send("Input.dispatchKeyEvent", Map.of("type", type, "key", key, "code", key, "windowsVirtualKeyCode",
					key.equals("Tab") ? 9 : 13, "text", key.equals("Enter") ? "\r" : ""));
		}
	}

	/**
	 * Take a picture of a part of the page.
	 * @param first selector of the first element on it
	 * @param last selector of the last one
	 * @return the picture as WebP
	 */
	byte[] screenshot(String first, String last) {
		double top = evaluate("document.querySelector('" + first + "').getBoundingClientRect().top + scrollY - 16")
			.doubleValue();
		double bottom = evaluate("document.querySelector('" + last + "').getBoundingClientRect().bottom + scrollY + 16")
			.doubleValue();
		Map<String, ?> clip = Map.of("x", 0, "y", top, "width", evaluate("innerWidth").intValue(), "height",
				bottom - top, "scale", 1);
		JsonNode reply = send("Page.captureScreenshot",
				Map.of("format", "webp", "quality", 85, "clip", clip, "captureBeyondViewport", true));
		return Base64.getDecoder().decode(reply.at("/result/data").stringValue());
	}

	/** Return the errors of scripts. */
	List<String> errors() {
		return List.copyOf(this.errors);
	}

	@Override
	public void close() {
		this.connection.abort();
		List<ProcessHandle> all = new ArrayList<>(this.process.descendants().toList());
		this.process.destroy();
		this.process.onExit().completeOnTimeout(this.process, 10, TimeUnit.SECONDS).join();
		all.forEach(ProcessHandle::destroyForcibly);
		this.process.destroyForcibly();
	}

	private final class Listener implements WebSocket.Listener {

		private final StringBuilder text = new StringBuilder();

		@Override
		public CompletionStage<?> onText(WebSocket socket, CharSequence data, boolean last) {
			this.text.append(data);
			if (last) {
				receive(JsonMapper.shared().readTree(this.text.toString()));
				this.text.setLength(0);
			}
			return WebSocket.Listener.super.onText(socket, data, last);
		}

		private void receive(JsonNode message) {
			if (message.path("method").asString("").equals("Runtime.exceptionThrown")) {
				Browser.this.errors.add(message.at("/params/exceptionDetails").toString());
			}
			CompletableFuture<JsonNode> reply = Browser.this.replies.remove(message.path("id").asInt(0));
			if (reply != null) {
				reply.complete(message);
			}
		}

	}

}
