package io.github.lockboot.sample.feed;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.http.MediaType;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;
import tools.jackson.databind.json.JsonMapper;

/**
 * Sends the events of this instance to its watchers, ten times a second. A watcher that
 * receives nothing for two seconds knows that the instance is frozen. A new watcher first
 * receives the events of the last 20 seconds.
 */
@Component
public class EventFeed {

	private static final long HISTORY_MILLIS = 20_000;

	private final Queue<Map<String, ?>> events = new ConcurrentLinkedQueue<>();

	private final Set<SseEmitter> watchers = ConcurrentHashMap.newKeySet();

	/** The events that a new watcher receives first. */
	private final List<Map<String, ?>> history = new LinkedList<>();

	/** Held while events are sent: a new watcher receives each event once. */
	private final Lock sending = new ReentrantLock();

	private final JsonMapper json = new JsonMapper();

	/**
	 * Send an event to all watchers.
	 * @param kind what happened
	 * @param details values that describe it
	 */
	public void publish(String kind, Map<String, ?> details) {
		Map<String, Object> event = new HashMap<>(details);
		event.put("kind", kind);
		event.put("at", System.currentTimeMillis());
		this.events.add(event);
	}

	SseEmitter watch() {
		SseEmitter watcher = new SseEmitter(0L);
		watcher.onCompletion(() -> this.watchers.remove(watcher));
		watcher.onError((ex) -> this.watchers.remove(watcher));
		this.sending.lock();
		try {
			long now = System.currentTimeMillis();
			this.history.removeIf((event) -> isOld(event, now));
			send(watcher, frame(now, this.history));
			this.watchers.add(watcher);
		}
		finally {
			this.sending.unlock();
		}
		return watcher;
	}

	/**
	 * Send the events that no watcher has received yet.
	 */
	@Scheduled(fixedDelay = 100)
	public void send() {
		this.sending.lock();
		try {
			List<Map<String, ?>> sent = new ArrayList<>();
			for (Map<String, ?> event = this.events.poll(); event != null; event = this.events.poll()) {
				sent.add(event);
			}
			long now = System.currentTimeMillis();
			this.history.removeIf((event) -> isOld(event, now));
			this.history.addAll(sent);
			if (!this.watchers.isEmpty()) {
				String frame = frame(now, sent);
				this.watchers.forEach((watcher) -> send(watcher, frame));
			}
		}
		finally {
			this.sending.unlock();
		}
	}

	private String frame(long now, Collection<Map<String, ?>> sent) {
		return this.json.writeValueAsString(Map.of("at", now, "events", sent));
	}

	private static boolean isOld(Map<String, ?> event, long now) {
		return event.get("at") instanceof Long at && now - at > HISTORY_MILLIS;
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
	 * Ends the streams: the web server would wait for them before it stops.
	 */
	@EventListener(ContextClosedEvent.class)
	void close() {
		this.watchers.forEach(SseEmitter::complete);
		this.watchers.clear();
	}

}
