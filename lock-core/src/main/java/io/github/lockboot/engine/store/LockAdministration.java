package io.github.lockboot.engine.store;

import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.springframework.util.PatternMatchUtils;

import io.github.lockboot.Internal;
import io.github.lockboot.LockState;

/**
 * The part of a store that operators use: it shows and releases the locks of all JVMs.
 * Thread-safe.
 */
@Internal
public interface LockAdministration {

	/**
	 * Take the lock away from its owner. The next attempt in the queue then owns it, and
	 * a push notifies the former owner if possible.
	 * @return whether the lock had an owner
	 */
	CompletionStage<Boolean> forceRelease(String lock);

	/**
	 * Return the state of a lock in the store, with what the store knows about the
	 * holders.
	 */
	CompletionStage<LockState> inspect(String lock);

	/**
	 * Return the names of locks that may be held, in the order of the store. The stage
	 * fails with an {@link UnsupportedOperationException} if the store would have to
	 * visit too much for that.
	 * @param pattern the names to look for, in which {@code *} stands for any characters
	 * @param after the name that precedes the first one, empty for none
	 * @param most how many names to return; fewer are the last ones
	 */
	CompletionStage<List<String>> list(String pattern, String after, int most);

	/**
	 * Return where this store keeps descriptions of instances; {@code null} if it
	 * describes the holders of a lock itself, or not at all.
	 */
	default @Nullable Instances instances() {
		return null;
	}

	/** Return the first names that match a pattern and follow a name, in order. */
	static List<String> first(Stream<String> names, String pattern, String after, int most) {
		return names.filter((name) -> name.compareTo(after) > 0 && PatternMatchUtils.simpleMatch(pattern, name))
			.distinct()
			.sorted()
			.limit(most)
			.toList();
	}

	/** Texts about JVMs. A text is forgotten after some time. */
	interface Instances {

		/** Replace the text about a JVM. */
		CompletionStage<Void> write(String instance, String text, long lifeMillis);

		/** Return the text about a JVM, empty if there is none. */
		CompletionStage<String> read(String instance);

	}

}
