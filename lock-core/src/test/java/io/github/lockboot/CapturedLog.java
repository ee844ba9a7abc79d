package io.github.lockboot;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import org.slf4j.LoggerFactory;

/**
 * Captures what the library logs at INFO or above until it is closed.
 */
public final class CapturedLog extends AppenderBase<ILoggingEvent> implements AutoCloseable {

	private final Logger logger = (Logger) LoggerFactory.getLogger("io.github.lockboot");

	private final List<ILoggingEvent> events = new CopyOnWriteArrayList<>();

	public CapturedLog() {
		setContext((LoggerContext) LoggerFactory.getILoggerFactory());
		start();
		this.logger.addAppender(this);
	}

	@Override
	protected void append(ILoggingEvent event) {
		if (event.getLevel().isGreaterOrEqual(Level.INFO)) {
			this.events.add(event);
		}
	}

	/**
	 * Return the lines that contain a text.
	 * @return level and message of each, in order
	 */
	public List<String> lines(String text) {
		return this.events.stream()
			.map((event) -> event.getLevel() + " " + Objects.toString(event.getFormattedMessage()))
			.filter((line) -> line.contains(text))
			.toList();
	}

	@Override
	public void close() {
		this.logger.detachAppender(this);
		stop();
	}

}
