package io.github.lockboot.docs;

import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.springframework.boot.json.JsonParserFactory;

import io.github.lockboot.LockActivity;
import io.github.lockboot.LockState;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The documented responses of the endpoint are correct.
 */
class OperationsTests {

	private final Map<String, Object> template = map(
			map(JsonParserFactory.getJsonParser().parseMap(Page.docs("running.md").blocks("json").get(0)), "templates"),
			"redisLockTemplate");

	@Test
	void holdsAreShownAsDocumented() {
		assertThat(list("held")).isNotEmpty()
			.allSatisfy((held) -> assertThat(held).containsOnlyKeys(components(LockActivity.Held.class)));
	}

	@Test
	void waitersAreShownAsDocumented() {
		assertThat(list("waiting")).isNotEmpty()
			.allSatisfy((waiting) -> assertThat(waiting).containsOnlyKeys(components(LockActivity.Waiting.class)));
	}

	@Test
	void stateOfTheStoreIsShownAsDocumented() {
		String[] components = Stream.concat(Stream.of("held"), Stream.of(components(LockState.class)))
			.toArray(String[]::new);
		assertThat(map(this.template, "store")).containsOnlyKeys(components);
	}

	@SuppressWarnings("unchecked")
	private List<Map<String, Object>> list(String name) {
		return (List<Map<String, Object>>) this.template.getOrDefault(name, List.of());
	}

	@SuppressWarnings("unchecked")
	private static Map<String, Object> map(Map<String, Object> outer, String name) {
		return (Map<String, Object>) outer.getOrDefault(name, Map.of());
	}

	private static String[] components(Class<?> type) {
		return Arrays.stream(type.getRecordComponents()).map(RecordComponent::getName).toArray(String[]::new);
	}

}
