package io.github.lockboot.sample.feed;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.http.MediaType;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;
import tools.jackson.databind.json.JsonMapper;

/**
 * Sends the events of this instance to everybody who watches it, ten times a second. A
 * watcher that receives nothing for a second knows that the instance is frozen.
 */
@Component
public class EventFeed {

	private final Queue<Map<String, ?>> events = new ConcurrentLinkedQueue<>();

	private final Set<SseEmitter> watchers = ConcurrentHashMap.newKeySet();

	private final JsonMapper json = new JsonMapper();

	/**
	 * Return whether somebody watches this instance.
	 * @return whether events are sent to anyone
	 */
	public boolean isWatched() {
		return !this.watchers.isEmpty();
	}

	/**
	 * Send an event to all watchers.
	 * @param kind what happened
	 * @param details values that describe it
	 */
	public void publish(String kind, Map<String, ?> details) {
		if (isWatched()) {
			Map<String, Object> event = new HashMap<>(details);
			event.put("kind", kind);
			event.put("at", System.currentTimeMillis());
			this.events.add(event);
		}
	}

	SseEmitter watch() {
		SseEmitter watcher = new SseEmitter(0L);
		watcher.onCompletion(() -> this.watchers.remove(watcher));
		watcher.onError((ex) -> this.watchers.remove(watcher));
		this.watchers.add(watcher);
		return watcher;
	}

	@Scheduled(fixedDelay = 100)
	void send() {
		List<Map<String, ?>> sent = new ArrayList<>();
		for (Map<String, ?> event = this.events.poll(); event != null; event = this.events.poll()) {
			sent.add(event);
		}
		if (isWatched()) {
			String frame = this.json.writeValueAsString(Map.of("at", System.currentTimeMillis(), "events", sent));
			this.watchers.forEach((watcher) -> send(watcher, frame));
		}
	}

	private void send(SseEmitter watcher, String frame) {
		try {
			watcher.send(frame, MediaType.TEXT_PLAIN);
		}
		catch (IOException | IllegalStateException ex) {
			this.watchers.remove(watcher);
		}
	}

	/**
	 * Ends the streams before the web server stops, which would wait for them.
	 */
	@EventListener(ContextClosedEvent.class)
	void close() {
		this.watchers.forEach(SseEmitter::complete);
		this.watchers.clear();
	}

}
