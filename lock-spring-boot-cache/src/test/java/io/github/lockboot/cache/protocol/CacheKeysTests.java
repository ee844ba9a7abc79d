package io.github.lockboot.cache.protocol;

import java.util.Arrays;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.lettuce.core.cluster.SlotHash;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import io.github.lockboot.cache.protocol.CacheKeys.EntryKeys;
import io.github.lockboot.cache.redis.RedisCacheSettings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class CacheKeysTests {

	private final CacheKeys keys = new CacheKeys("cache:");

	@Test
	void nameAndEpochPrecedeNameAndKeyInBraces() {
		assertThat(entry("42").data()).isEqualTo("cache:product:7:{product:42}");
	}

	static Stream<String> texts() {
		return Stream.of("42", "", "}", "{", "a}b{c", "{}", "x".repeat(10_000));
	}

	@ParameterizedTest
	@MethodSource("texts")
	void allKeysOfAnEntryAreInOneSlotAndContainItsKey(String key) {
		assertThat(Arrays.stream(entry(key).all()).map(SlotHash::getSlot).distinct()).hasSize(1);
		assertThat(CacheKeys.find("product", entry(key).data())).isEqualTo(CacheKeys.shorten(key));
	}

	@Test
	void entriesAreSpreadOverTheSlots() {
		Stream<Integer> slots = IntStream.range(0, 1000).mapToObj((i) -> SlotHash.getSlot(entry("" + i).data()));
		assertThat(slots.distinct()).hasSizeGreaterThan(900);
	}

	@Test
	void aLongKeyIsTruncatedAndDistinguishedByADigest() {
		String first = entry("x".repeat(10_000) + "1").data();
		assertThat(first).hasSizeLessThan(250).startsWith("cache:product:7:{product:xxx");
		assertThat(first).isNotEqualTo(entry("x".repeat(10_000) + "2").data());
	}

	@Test
	void aLongKeyIsNotTruncatedWithinACharacter() {
		assertThat(entry("x".repeat(99) + "\ud83d\ude00".repeat(100)).data()).contains("x~");
	}

	@Test
	void fewCharactersOfManyBytesAreTruncatedToo() {
		assertThat(entry("\u20ac".repeat(70)).data()).contains("\u20ac~");
	}

	@Test
	void noKeyIsParsedFromTheNameOfAnEntryOfAnotherCache() {
		assertThat(CacheKeys.find("prod", entry("42").data())).isNull();
	}

	@Test
	void aKeyPrefixWithABraceIsRefused() {
		RedisCacheSettings settings = RedisCacheSettings.defaults();
		assertThatIllegalArgumentException()
			.isThrownBy(() -> new RedisCacheSettings("{x}", settings.commandTimeout(), settings.snapshotWindow()))
			.withMessageContaining("must not contain '{'");
	}

	private EntryKeys entry(String key) {
		return this.keys.entry("product", 7, key);
	}

}
