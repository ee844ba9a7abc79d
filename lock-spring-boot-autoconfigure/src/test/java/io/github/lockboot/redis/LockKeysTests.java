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

	static List<String> oddNames() {
		return List.of("a", "}", "}a", "}}", "a}b", "a}", "{", "{}", "{}a", "{a}", "a{b}c", "\\", "\\}", "\\\\}", " a ",
				"a:f", "\u00fc\u4e2d\ud83d\udd12", "x".repeat(100_000));
	}

	@Test
	void theNameIsTheHashTagAndTheTokenStandsBeside() {
		assertThat(LockKeys.of("lock:", "orders:42")).containsExactly("lock:{orders:42}", "lock:{orders:42}:f");
	}

	@ParameterizedTest
	@MethodSource("oddNames")
	void allKeysOfALockLieInOneSlot(String name) {
		assertThat(Arrays.stream(LockKeys.of("lock:", name)).map(SlotHash::getSlot).distinct()).hasSize(1);
	}

	@Test
	void locksOfManyNamesLieInManySlots() {
		assertThat(Stream.iterate(0, (number) -> number + 1)
			.limit(100)
			.map((number) -> SlotHash.getSlot(LockKeys.of("lock:", "orders:" + number)[0]))
			.distinct()).hasSizeGreaterThan(50);
	}

	@Test
	void noTwoNamesMeet() {
		assertThat(oddNames().stream().flatMap((name) -> Arrays.stream(LockKeys.of("lock:", name))))
			.doesNotHaveDuplicates();
	}

	@Test
	void noTwoPrefixesMeet() {
		assertThat(Stream.of("", "lock:", "lock", "lock::f", "\\")
			.flatMap((prefix) -> oddNames().stream().flatMap((name) -> Arrays.stream(LockKeys.of(prefix, name)))))
			.doesNotHaveDuplicates();
	}

}
