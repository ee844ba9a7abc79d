package io.github.lockboot.kotlin

import io.github.lockboot.fixture.PublicApi
import org.junit.jupiter.api.Test

class PublicApiTests {

	@Test
	fun publicApiIsThatOfTheList() = PublicApi.assertUnchanged(Class.forName("io.github.lockboot.kotlin.CoroutineLocks"))

}
