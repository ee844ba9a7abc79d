package io.github.lockboot.redis;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

import io.lettuce.core.cluster.SlotHash;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

class LockKeysTests {

	private static final LockKeys LOCKS = new LockKeys("lock:");

	static List<String> oddNames() {
		return List.of("a", "}", "}a", "}}", "a}b", "a}", "{", "{}", "{}a", "{a}", "a{b}c", "\\", "\\}", "\\\\}", " a ",
				"a:f", "\u00fc\u4e2d\ud83d\udd12", "x".repeat(10_000));
	}

	@Test
	void theNameIsTheHashTagAndTheOtherKeysHaveASuffix() {
		assertThat(LOCKS.of("orders:42")).containsExactly("lock:{orders:42}", "lock:{orders:42}:f",
				"lock:{orders:42}:q", "lock:{orders:42}:p", "lock:{orders:42}:d", "lock:{orders:42}:r");
	}

	@ParameterizedTest
	@MethodSource("oddNames")
	void theNameIsParsedFromTheKey(String name) {
		assertThat(LOCKS.lock(LOCKS.of(name)[0])).isEqualTo(name);
	}

	@Test
	void noLockHasTheKeyOfAChannel() {
		assertThat(oddNames().stream().map((name) -> LOCKS.of(name)[0]))
			.noneMatch((key) -> key.startsWith(LOCKS.channelPrefix()));
	}

	@ParameterizedTest
	@MethodSource("oddNames")
	void allKeysOfALockAreInOneSlot(String name) {
		assertThat(Arrays.stream(LOCKS.of(name)).map(SlotHash::getSlot).distinct()).hasSize(1);
	}

	@Test
	void locksOfManyNamesAreInManySlots() {
		assertThat(Stream.iterate(0, (number) -> number + 1)
			.limit(100)
			.map((number) -> SlotHash.getSlot(LOCKS.of("orders:" + number)[0]))
			.distinct()).hasSizeGreaterThan(50);
	}

	@Test
	void noTwoPrefixesHaveTheSameKey() {
		assertThat(Stream.of("", "lock:", "lock", "lock::f", "\\")
			.flatMap((prefix) -> oddNames().stream().flatMap((name) -> Arrays.stream(new LockKeys(prefix).of(name)))))
			.doesNotHaveDuplicates();
	}

}
