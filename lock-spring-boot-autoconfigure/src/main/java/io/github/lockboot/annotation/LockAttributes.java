package io.github.lockboot.annotation;

import java.time.Duration;
import java.util.List;
import java.util.TreeSet;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.LockKeyException;
import io.github.lockboot.LockRequest;
import io.github.lockboot.OnLost;
import io.github.lockboot.expression.KeyExpression;
import io.github.lockboot.expression.KeyExpressionException;

/**
 * How the calls of one method are locked: its annotation, parsed and completed from the
 * properties.
 *
 * @param method description of the method, for messages
 * @param name first segment of the lock's name
 * @param key the key, or {@code null} if all calls share one lock
 * @param waitTime how long to wait for all locks of a call
 * @param leaseTime how long a lock outlives its dead holder
 * @param onLost what happens if a lock is lost
 */
record LockAttributes(String method, String name, @Nullable KeyExpression key, Duration waitTime, Duration leaseTime,
		OnLost onLost) {

	/**
	 * Return what to lock for one call, in the order in which all callers take it.
	 */
	List<LockRequest> requests(@Nullable Object target, @Nullable Object[] arguments) {
		if (this.key == null) {
			return List.of(request(escape(this.name)));
		}
		List<String> keys = evaluate(this.key, target, arguments);
		if (keys.size() == 1) {
			return List.of(request(lockName(keys.get(0))));
		}
		return new TreeSet<>(keys).stream().map((key) -> request(lockName(key))).toList();
	}

	private List<String> evaluate(KeyExpression key, @Nullable Object target, @Nullable Object[] arguments) {
		try {
			return key.evaluate(target, arguments);
		}
		catch (KeyExpressionException ex) {
			throw keyFailure(this.method, ex);
		}
	}

	static LockKeyException keyFailure(String method, KeyExpressionException ex) {
		return new LockKeyException(ex.expression(),
				"Key '" + ex.expression() + "' of " + method + " " + ex.getMessage(), ex.getCause());
	}

	private LockRequest request(String lockName) {
		return new LockRequest(lockName, this.name, this.waitTime, this.leaseTime, this.onLost);
	}

	private String lockName(String key) {
		return escape(this.name) + ":" + key;
	}

	/** The first colon of a lock's name ends the name, whatever the key holds. */
	private static String escape(String name) {
		return name.replace("%", "%25").replace(":", "%3A");
	}

}
